"""What the JSON of each command holds, as types: mypy holds the commands to them, and `schemas/cli/` is made from them.

No command imports them when it runs. Every key is always there: what is absent is null, and collections are lists.
Versions only grow by adding keys.
"""
