"""The rules of Codifica, listed by hand."""

from codifica_guard.packs.codifica import (
    cd101,
    cd102,
    cd103,
    cd104,
    cd105,
    cd106,
    cd107,
    cd108,
    cd109,
    cd110,
    cd201,
    cd202,
    cd203,
    cd204,
    cd205,
    cd206,
    cd207,
    cd208,
    cd209,
    cd210,
    cd211,
    cd212,
    cd213,
    cd301,
    cd302,
    cd303,
    cd304,
    cd305,
    cd306,
    cd307,
    cd308,
    cd309,
    cd310,
    cd311,
    cd312,
    cd314,
    cd401,
    cd402,
    cd403,
    cd404,
    cd405,
    cd407,
    cd409,
    cd411,
    cd413,
    cd501,
    cd502,
    cd503,
    cd504,
)
from codifica_guard.rules.registry import Pack
from codifica_guard.rules.rule import rule_of

PACK = Pack(
    name="codifica",
    rules=tuple(
        rule_of(module)
        for module in (
            cd101, cd102, cd103, cd104, cd105, cd106, cd107, cd108, cd109,
            cd201, cd202, cd203, cd204, cd205, cd206, cd207, cd208, cd209, cd210, cd211, cd212, cd213,
            cd301, cd302, cd303, cd304, cd305, cd306, cd307, cd308, cd309, cd310, cd311, cd312, cd314,
            cd401, cd402, cd403, cd404, cd405, cd407, cd409, cd411, cd413,
            cd501, cd502, cd503, cd504,
        )
    ),
    active=lambda policy: policy.codifica is not None,
)  # fmt: skip
"""Active where the policy has a `codifica.json`."""

FILE_PACK = Pack(name="codifica.json", rules=(rule_of(cd110),), active=lambda _: True)
"""The file itself is judged always: it may be new, or broken until now."""
