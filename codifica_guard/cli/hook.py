"""`codifica-guard hook NAME`: what the shims call; hidden from the list of commands."""

SERVER = ("pre-receive", "post-receive")


def run_hook(arguments: list[str]) -> int:
    """Run a hook by its name; an unknown one refuses."""
    if arguments[:1] and arguments[0] in SERVER:
        from codifica_guard.hooks import server  # noqa: PLC0415 - one kind of hook a process

        return server.main(arguments)
    from codifica_guard.hooks import client  # noqa: PLC0415

    return client.main(arguments)
