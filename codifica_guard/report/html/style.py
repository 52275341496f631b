"""How the page looks: on screens of every width, in the dark, without colours, and on paper."""

from typing import Final

STYLE: Final = """
:root{--paper:#fff;--ink:#1b1f24;--soft:#57606c;--rule:#d9dde3;--wash:#f5f6f8;--grey:#e9ebef;--link:#0b5394;
--bad:#a61b14;--badwash:#fdf0ee;--warn:#7d5200;--warnwash:#fdf6e5;--good:#14693a;--goodwash:#edf7f0;
--S:#2b6cb0;--T:#1f4a80;--H:#17785a;--A:#8f5a0c;--U:#b3261e;--on:#fff;--hatch:#8a93a0;
--todo:#7a8490;--work:#4a86c5;--test:#b7791f;--done:#17785a;--block:#b3261e;--no:#6b7280}
@media screen and (prefers-color-scheme:dark){:root{color-scheme:dark;--paper:#14171b;--ink:#e3e6ea;--soft:#a2abb6;--rule:#343a42;--wash:#1b1f25;
--grey:#2a3038;--link:#8ab8ee;--bad:#ff9087;--badwash:#2c1917;--warn:#eebf63;--warnwash:#2a2112;--good:#74cf98;--goodwash:#14261b;
--S:#7fb2ea;--T:#aac9f0;--H:#6fd0ab;--A:#e3b25c;--U:#ff9087;--on:#111417;--hatch:#7d8793;
--todo:#7d8793;--work:#6aa5e3;--test:#e3b25c;--done:#6fd0ab;--block:#ff9087;--no:#8d96a2}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;
font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
main,header,footer{max-width:1160px;margin:0 auto;padding:0 28px}
code,pre,.id{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace;font-size:.875em}
pre{margin:.5em 0;padding:.7em .9em;background:var(--wash);border:1px solid var(--rule);border-radius:4px;white-space:pre-wrap;line-height:1.5}
a{color:var(--link);text-decoration-thickness:1px;text-underline-offset:2px}
a:focus-visible,summary:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:2px}
h1{font-size:2.1rem;line-height:1.2;margin:0;font-weight:650;letter-spacing:-.015em}
h2{font-size:1.3rem;line-height:1.3;margin:0 0 .3rem;font-weight:650;letter-spacing:-.005em}
h2 b{display:inline-block;min-width:1.9rem;padding-right:.5rem;color:var(--soft);font-weight:400}
h3{font-size:1rem;margin:1.6rem 0 .4rem;font-weight:650}
p{margin:.5em 0}
.lead{color:var(--soft);max-width:50rem;margin:.1rem 0 1rem}
section{border-top:1px solid var(--rule);margin-top:2.6rem;padding-top:1.5rem}
.soft{color:var(--soft)}.bad{color:var(--bad);font-style:normal;font-weight:600}.good{color:var(--good)}.warn{color:var(--warn);font-weight:600}
.u{font:600 .72em/1 ui-monospace,Menlo,Consolas,monospace;color:var(--bad);border:1px solid;border-radius:2px;padding:0 .2em;margin:0 .1em;white-space:nowrap}
.cut{color:var(--soft);font-size:.9em}
header{padding-top:2.6rem}
.kicker{color:var(--soft);font-size:.8rem;letter-spacing:.07em;text-transform:uppercase;margin:0 0 .3rem}
.sub{color:var(--soft);margin:.35rem 0 0}
.narrowed,.verdict{border:1px solid var(--rule);border-left:5px solid;border-radius:4px;padding:.9rem 1.2rem;margin:1.3rem 0 0}
.verdict{display:grid;grid-template-columns:auto 1fr;gap:.1rem 1rem;align-items:center;padding:1.1rem 1.3rem}
.verdict p{margin:0;grid-column:2}
.verdict .sign{grid-row:1/3;grid-column:1;width:2.6rem;height:2.6rem}
.verdict .says{font-size:1.35rem;font-weight:650;line-height:1.3}
.is-bad{border-left-color:var(--bad);background:var(--badwash)}.is-bad .says,.is-bad .sign{color:var(--bad)}
.is-warn{border-left-color:var(--warn);background:var(--warnwash)}.is-warn .says,.is-warn .sign{color:var(--warn)}
.is-good{border-left-color:var(--good);background:var(--goodwash)}.is-good .says,.is-good .sign{color:var(--good)}
.facts{display:grid;grid-template-columns:8.5rem 1fr;gap:.35rem 1.2rem;margin:1.3rem 0 0}
.facts dt{color:var(--soft)}.facts dd{margin:0;min-width:0}
nav{margin-top:1.6rem;border-top:1px solid var(--rule);padding-top:.9rem}
nav ol{list-style:none;display:flex;flex-wrap:wrap;gap:.25rem 1.4rem;margin:0;padding:0;font-size:.92rem}
nav a{text-decoration:none}nav a:hover{text-decoration:underline}nav b{color:var(--soft);font-weight:400;margin-right:.45em}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.9em;margin:.4rem 0}
caption{text-align:left;color:var(--soft);padding:0 0 .4rem}
th{text-align:left;font-weight:600;color:var(--soft);font-size:.92em;vertical-align:bottom}
th,td{padding:.36rem .8rem .36rem 0;border-bottom:1px solid var(--rule)}
td,tbody th{vertical-align:top}
tbody th{color:var(--ink);font-size:1em}
tbody tr:last-child>*{border-bottom:0}
.n{text-align:right}.n,.t,.c{white-space:nowrap}th{overflow-wrap:normal}
.st td:first-child{white-space:nowrap}.st td:nth-child(5){font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace;font-size:.89em;white-space:nowrap}
.grid{width:auto}.grid caption{white-space:nowrap}
.grid th,.grid td{border:1px solid var(--rule);padding:.42rem .6rem;text-align:right;min-width:3.6rem;vertical-align:middle}
.grid thead th{max-width:7rem;vertical-align:bottom;white-space:normal}
.grid tr>*:first-child{text-align:left;border-left:0;padding-left:0;white-space:nowrap}
.grid thead th{border-top:0}.grid tbody tr:last-child>*{border-bottom:1px solid var(--rule)}
.grid .no{background:var(--grey);color:var(--soft)}
.grid .no.ill,.ill{background:var(--badwash);color:var(--bad);font-weight:700;box-shadow:inset 0 0 0 2px var(--bad)}
.ill a{color:inherit}
.grid .self{background:linear-gradient(to top right,transparent calc(50% - 1px),var(--rule) calc(50% - 1px) calc(50% + .5px),transparent calc(50% + .5px))}
.grid .self.has{box-shadow:inset 0 0 0 2px var(--warn);font-weight:700}
.fp{display:block;font-weight:400}.kind{display:block;color:var(--soft);font-weight:400;font-size:.72rem}
.find{border:1px solid var(--rule);border-left:5px solid var(--bad);border-radius:4px;padding:.8rem 1.1rem;margin:.9rem 0;break-inside:avoid}
.find.w{border-left:5px double var(--warn)}
.find h3{margin:0 0 .25rem;display:flex;flex-wrap:wrap;gap:0 .8rem;align-items:baseline}
.find .tag{font-size:.75rem;letter-spacing:.05em;text-transform:uppercase;color:var(--bad)}.find.w .tag{color:var(--warn)}
.find h3 .soft{font-weight:400}
.find .what{font-size:1.03rem;margin:.1rem 0 .2rem}
.row{display:flex;flex-wrap:wrap;gap:.35rem 1.8rem;margin:.6rem 0 .2rem}.row dt{color:var(--soft);font-size:.76rem}.row dd{margin:0;font-size:.9rem}
.find ul{margin:.2rem 0;padding-left:1.2rem}.find pre{margin-bottom:.2rem}
.m{display:inline-block;min-width:1.45em;text-align:center;border-radius:3px;font:700 .78em/1.55 ui-monospace,Menlo,Consolas,monospace;
color:var(--on);padding:0 .25em;background:var(--c)}
.m.A{background:var(--paper);color:var(--c);box-shadow:inset 0 0 0 1.5px var(--c)}
.m.U{background:var(--paper);color:var(--c);box-shadow:inset 0 0 0 1.5px var(--c);text-decoration:underline 2px}
.S{--c:var(--S)}.T{--c:var(--T)}.H{--c:var(--H)}.A{--c:var(--A)}.U{--c:var(--U)}
svg{display:block;overflow:visible}
svg text{font:11px system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;fill:var(--soft)}
.defs{position:absolute;width:0;height:0}
.bar{height:26px;width:100%;border-radius:3px}
.in{font-weight:700;font-size:12px;fill:var(--on);text-anchor:middle;paint-order:stroke;stroke:var(--c);stroke-width:5px;stroke-linejoin:round}
.A .in,.U .in{fill:var(--c);stroke:var(--paper)}
.S>rect,.T>rect,.H>rect{fill:var(--c)}.A>rect,.U>rect{fill:var(--paper);stroke:var(--c)}svg.h{overflow:hidden}
.band{fill:var(--grey)}.hair{stroke:var(--rule);stroke-width:1px}
.mid{text-anchor:middle}.end{text-anchor:end}
.legend{display:flex;flex-wrap:wrap;gap:.3rem 1.3rem;list-style:none;padding:0;margin:.7rem 0;font-size:.86rem;color:var(--soft)}
.legend svg{display:inline-block;vertical-align:-4px;margin-right:.4em}
.lanes{list-style:none;margin:0;padding:0;min-width:640px}
.lanes li,.axis{display:grid;grid-template-columns:10.5rem 1fr;column-gap:12px;align-items:center;border-top:1px solid var(--rule)}
.lanes li{break-inside:avoid}
.axis{border:0;min-width:640px}
.lanes .id{white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.lane{width:100%;height:38px}.lane.own{margin:.4rem 0 .2rem}
.lane.key{width:34px;height:18px}.lane.key g{transform:translateY(9px)}
.lane g{transform:translateY(12px)}.lane g+g{transform:translateY(31px)}
.lane line{stroke-width:11px;marker-start:url(#k)}.lane .p,.lane .q,.lane .hair{marker-start:none}
.lane .t{stroke:var(--todo);stroke-width:2px;stroke-dasharray:3 3}.lane .i{stroke:var(--work)}.lane .b{stroke:var(--test);stroke-width:8px;stroke-dasharray:1.5 2.5}.lane .d{stroke:var(--done);stroke-width:3px}
.lane .x{stroke:var(--block);stroke-dasharray:4 1.5}.lane .r{stroke:var(--no);stroke-width:3px;stroke-dasharray:8 3 2 3}.lane .o{stroke:var(--hatch);stroke-width:1px}
.lane .q{stroke:var(--paper);stroke-width:8px;stroke-dasharray:2.5 1.5}
.lane text{font:700 10px ui-monospace,Menlo,Consolas,monospace;fill:var(--ink)}.lane text.bad{fill:var(--bad)}
.chip{font-weight:400;color:var(--soft);white-space:nowrap;font-size:.86em;border:1px solid var(--rule);border-radius:3px;padding:0 .4em}
details>summary{cursor:pointer}
.task{border-top:1px solid var(--rule)}
.task>summary{padding:.5rem 0;list-style-position:outside;margin-left:1.1rem}
.task h3{display:inline;font-size:.95rem;margin:0 .6rem 0 0}
.task .state{color:var(--soft);font-size:.88rem;margin-left:.6rem}
.task>div{padding:0 0 1rem 1.1rem}
.task h4,.task .h{font-size:.85rem;color:var(--soft);font-weight:600;margin:.9rem 0 .2rem}
.task ol,.task ul{margin:.2rem 0;padding-left:1.6rem}
.pre{white-space:pre-wrap}
.diff{padding:.5rem 0}.diff span{display:block;padding:0 .9em}
.diff .add{background:var(--goodwash);color:var(--good)}.diff .del{background:var(--badwash);color:var(--bad)}.diff .file{color:var(--soft);font-weight:700}
.steps>li{margin:0 0 1.2rem}.steps h3{margin-top:0}
footer{color:var(--soft);font-size:.86rem;padding-top:1.4rem;padding-bottom:3rem;margin-top:2.6rem}
footer div{border-top:1px solid var(--rule);padding-top:1rem}
@media(max-width:700px){body{font-size:14.5px}main,header,footer{padding-left:16px;padding-right:16px}header{padding-top:1.6rem}h1{font-size:1.6rem}
.scroll>table{min-width:33rem}.scroll>.grid,.scroll>.k{min-width:0}
.facts{grid-template-columns:1fr;gap:0}.facts dd{margin-bottom:.55rem}.verdict{padding:.9rem 1rem}
.verdict .sign{width:2rem;height:2rem;grid-row:1}.verdict p+p{grid-column:1/3;margin-top:.5rem}.wide{display:none}
.lanes li,.axis{grid-template-columns:7rem 1fr}.task>div{padding-left:.2rem}}
@media print{@page{size:A4;margin:16mm 14mm}body{font-size:9.5pt}main,header,footer{max-width:none;padding-left:0;padding-right:0}header{padding-top:0}
nav{display:none}a{color:inherit;text-decoration:none}.scroll{overflow:visible}
details::details-content{content-visibility:visible;display:block;height:auto}
h2,h3,summary,caption{break-after:avoid}summary{list-style:none}summary::-webkit-details-marker{display:none}tr,.find,.verdict{break-inside:avoid}thead{display:table-header-group}
table{font-size:8.5pt}.grid th,.grid td{min-width:0;padding:.3rem .35rem}
.lanes,.axis{min-width:0}.lanes li,.axis{grid-template-columns:7.5rem 1fr}pre{font-size:8pt}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
"""
"""All of the style; it loads nothing."""


def _stripes(name: str, turned: int, dash: str, colour: str, more: str = "") -> str:
    """Stripes as one dashed line, as wide as any drawing and turned: patterns make printed files a hundred times as large."""
    line = f'<line x1="-1600" x2="1600" stroke-width="3200" stroke-dasharray="{dash}" transform="rotate({turned})" style="stroke:{colour}"/>'
    return f'<g id="{name}">{line}{more}</g>'


_FALLING: Final = '<line x1="-1600" x2="1600" stroke-width="3200" stroke-dasharray="1.2 4" transform="rotate(135)" style="stroke:var(--U)"/>'

_TICK: Final = (
    '<marker id="k" markerUnits="userSpaceOnUse" markerWidth="2" markerHeight="16" refX="1" refY="8">'
    '<path d="M1 0V16" style="stroke:var(--ink);stroke-width:1.2"/></marker>'
)

DRAWN: Final = "".join(
    (
        '<svg class="defs" aria-hidden="true" focusable="false"><defs>',
        _stripes("pT", 45, "1.5 4", "var(--S)"),
        _stripes("pH", 0, "1.2 5", "var(--on)"),
        _stripes("pA", 90, "1.5 4", "var(--A)"),
        _stripes("pU", 45, "1.2 4", "var(--U)", _FALLING),
        _stripes("pG", 45, "1.2 5", "var(--hatch)"),
        _TICK,
        '<path id="y" d="M0-8V8" style="stroke:var(--ink);stroke-width:1.2"/>',
        '<path id="e" d="M0-4V4" style="stroke:var(--soft);stroke-width:1"/>',
        '<path id="z" d="M-5-5 5 5M-5 5 5-5" style="stroke:var(--bad);stroke-width:2.5"/>',
        "</defs></svg>",
    )
)
"""Stripes and signs that all drawings share."""
