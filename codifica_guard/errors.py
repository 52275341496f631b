"""The errors of the guard itself.

A broken rule is a value (`codifica_guard.model.finding.Finding`); a guard that cannot do its work raises one of these:

    GuardError
    +-- UsageError            the call is wrong; nothing was done
    +-- NeedsTerminal         a question would have to be asked, and nobody is there to answer
    +-- RepositoryError       the repository cannot be read as it is
    |   +-- MissingObject     an object that is named is not there
    |   +-- MalformedObject   an object whose bytes Git's readers would read differently
    |   +-- CannotTell        history is cut, or objects are missing, so an audit cannot say
    |   +-- UnknownFormat     a format of refs or objects that this guard does not know
    +-- LimitExceeded         past a limit of `codifica_guard.limits`
    +-- StateError            a document or a block cannot be edited as asked
    +-- SignatureError        a signature or key does not hold
    |   +-- KeyUnavailable    no key to sign with, or it cannot be opened
    |       +-- KeyLocked     it asks for a passphrase, and nobody is there to type it
    +-- PolicyError           a policy file that cannot be taken
    +-- MalformedReceipt      a receipt's file that holds none
"""


class GuardError(Exception):
    """Base of all errors that the guard raises on purpose; its text is fit to be shown."""


class UsageError(GuardError):
    """The call is wrong: exit code 2."""


class NeedsTerminal(UsageError):
    """A prompt was needed and there is no terminal: exit code 2."""


class RepositoryError(GuardError):
    """The repository cannot be read: exit code 3, and a refusal in `pre-receive`."""


class MissingObject(RepositoryError):
    """An object that is named is not there."""


class MalformedObject(RepositoryError):
    """An object that Git's readers would read differently."""


class CannotTell(RepositoryError):
    """History is cut or objects are missing, so nobody can say whether it holds; `do` are the next commands. Exit code 3."""

    def __init__(self, text: str, *do: str) -> None:
        super().__init__(text)
        self.do = do


class UnknownFormat(RepositoryError):
    """A repository format that this guard does not know; never judged by guessing."""


class LimitExceeded(GuardError):
    """Pushed data went past a limit of `codifica_guard.limits`."""


class StateError(GuardError):
    """A state document or task block cannot be edited as asked."""


class SignatureError(GuardError):
    """A signature, a key or a signed value does not hold."""


class KeyUnavailable(SignatureError):
    """There is no key to sign with, or it cannot be opened."""


class KeyLocked(KeyUnavailable):
    """The key is encrypted, and nobody is there to type its passphrase: exit code 2, like any other question."""


class PolicyError(GuardError):
    """A policy file that cannot be taken; the text says which and why."""


class MalformedReceipt(GuardError):
    """A file that is to be a receipt and is none; the text says why."""
