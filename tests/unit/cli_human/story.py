"""What tests of people's verbs share."""

from tests.building.machine import Done

WHY = "link also works after the password was changed: criterion 2"


def exits(done: Done, code: int, *texts: str) -> Done:
    assert done.code == code, done.said
    for text in texts:
        assert text in done.said, f"does not say {text!r}:\n{done.said}"
    return done
