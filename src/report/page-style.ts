import { Html } from './html.ts'

/** One column of calm cards. All pairs of colors have a contrast of at least 4.5 to 1. */
export const pageStyle = new Html(`
:root{color-scheme:light dark;--page:#f6f6f3;--card:#fff;--text:#1d2125;--muted:#59626c;--line:#dfe1de;--soft:#ecedea;--blue:#2766a8;
--good:#1b7a48;--look:#8a5a00;--bad:#b3261e;--accepted:#2f7d54;--rejected:#c0392b;--filtered:#7b8794;--duplicate:#b7791f;--blank:#cfd3d6;
--badbg:#fdecea;--lookbg:#fdf3df;
--h0:#fbe0db;--h1:#f8ecd4;--h2:#e6eef6;--h3:#cfdff0;--h4:#b0cce7}
@media (prefers-color-scheme:dark){:root{--page:#14171a;--card:#1c2024;--text:#e7e9eb;--muted:#a6afb8;--line:#33393f;--soft:#272c31;--blue:#7cb3ea;
--good:#62c892;--look:#e3b45c;--bad:#ff8f85;--accepted:#3f9a6b;--rejected:#e0604f;--filtered:#8b97a3;--duplicate:#c9943a;--blank:#4b535b;
--badbg:#3a2220;--lookbg:#33291a;
--h0:#4a2a26;--h1:#3f3520;--h2:#22303f;--h3:#254058;--h4:#285173}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0 auto;max-width:62rem;padding:1.5rem 1rem 4rem;background:var(--page);color:var(--text);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
h1,h2,h3,p,ul,ol,dl,dd,pre{margin:0}
ul,ol{padding-left:1.2rem}
small{font-size:.8125rem;color:var(--muted)}
a{color:var(--blue)}
code,pre{font-family:ui-monospace,"SF Mono",Menlo,Consolas,monospace;font-size:.9em}
code,q,time{unicode-bidi:isolate}
q{quotes:none}
header{padding:.5rem .25rem .25rem}
.pipeline{font-weight:600}
.pipeline small{margin-left:.5rem;font-weight:400}
h1{display:flex;gap:.75rem;align-items:flex-start;margin:.3rem 0 .35rem;font-size:1.65rem;line-height:1.25;font-weight:650;text-wrap:balance}
h1 svg{flex:none;width:1.95rem;height:1.95rem}
h1 circle{fill:currentColor}
h1 path{fill:none;stroke:var(--page);stroke-width:2.4;stroke-linecap:round;stroke-linejoin:round}
.good h1 svg{color:var(--good)}.look h1 svg{color:var(--look)}.bad h1 svg{color:var(--bad)}
.sub{color:var(--muted)}
.bad .sub{color:var(--text)}
.todo{margin:1rem 0 0;list-style:none;padding:0;display:grid;gap:.5rem}
.todo li{border-radius:.6rem;border-left:.3rem solid var(--look);background:var(--lookbg);padding:.55rem .9rem;display:flex;gap:.3rem 1rem;align-items:baseline;justify-content:space-between}
.todo li.bad{border-left-color:var(--bad);background:var(--badbg)}
.todo b{font-size:1.2rem;font-weight:700;color:var(--look)}
.todo .bad b{color:var(--bad)}
.todo small{display:block;color:var(--text)}
.todo a{flex:none;max-width:45%;font-size:.875rem}
section{margin-top:1rem;background:var(--card);border:1px solid var(--line);border-radius:.75rem;padding:1.1rem 1.25rem 1.25rem}
h2{font-size:1.15rem;font-weight:650;margin-bottom:.5rem}
h3{font-size:1rem;font-weight:600;margin:1.1rem 0 .25rem}
section>p+p,section>ul,section>p+table,section>.note{margin-top:.5rem}
.note{font-size:.875rem;color:var(--muted);margin-top:.5rem}
table{border-collapse:collapse;width:100%;margin-top:.5rem;font-size:.9375rem}
th,td{text-align:left;vertical-align:top;padding:.4rem .75rem .4rem 0;border-top:1px solid var(--line);font-weight:400}
thead th{border-top:0;font-size:.8125rem;color:var(--muted);padding-top:0;overflow-wrap:normal}
th:last-child,td:last-child{padding-right:0}
th small,td small{display:block}
.n{text-align:right;white-space:nowrap;width:1%}
.wide{overflow-x:auto}
.wide table{min-width:30rem}
.heat+.note,.wide+.wide{margin-top:1rem}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
svg.ledger{display:block;width:100%;height:1.25rem;border-radius:.35rem;margin:.75rem 0}
.accepted{fill:var(--accepted)}.rejected{fill:var(--rejected)}.filtered{fill:var(--filtered)}.duplicate{fill:var(--duplicate)}.blank{fill:var(--blank)}
.legend{list-style:none;padding:0;display:grid;gap:.3rem}
.legend li{display:flex;gap:.6rem;align-items:baseline}
.legend svg{flex:none;width:.7rem;height:.7rem}
.bar{display:block;height:.5rem;min-width:3rem;border-radius:.25rem;background:var(--soft);overflow:hidden;margin-top:.45rem}
.bar i{display:block;height:100%;background:var(--blue);border-radius:.25rem}
.tables{margin-top:.75rem}
details{border-top:1px solid var(--line)}
section>details{margin-top:.75rem}
.fold{margin-top:1rem;background:var(--card);border:1px solid var(--line);border-radius:.75rem;padding:.35rem 1.25rem}
.fold[open]{padding-bottom:1.1rem}
.fold>summary h2{display:inline;margin:0;font-size:1rem}
.fold section{border:0;border-top:1px solid var(--line);border-radius:0;padding:1rem 0 0}
.fold h3{margin:0 0 .25rem}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(15rem,100%),1fr));gap:1rem;margin-bottom:1rem}
.card{border:1px solid var(--line);border-radius:.6rem;padding:.8rem 1rem;min-width:0}
.card h3{margin:0;font-size:.9375rem}
.card p{font-size:.8125rem;color:var(--muted)}
.bars{display:block;width:100%;height:4.5rem;margin-top:.5rem;border-bottom:1px solid var(--line)}
.bars rect,.spark{fill:var(--blue)}
.card .ends{display:flex;justify-content:space-between;gap:1rem;margin-top:.2rem}
.spark{display:block;width:100%;max-width:8rem;height:1.1rem;margin-bottom:.2rem}
summary{cursor:pointer;padding:.55rem 0;list-style-position:outside;margin-left:1.1rem}
summary::marker{color:var(--muted)}
summary:hover{background:var(--soft)}
a:focus-visible,summary:focus-visible,.wide:focus-visible,pre:focus-visible{outline:2px solid var(--blue);outline-offset:2px;border-radius:.2rem}
.tables summary{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:0 1rem;position:relative}
.tables summary::before{content:"";position:absolute;left:-1rem;top:.98rem;border:.3rem solid transparent;border-left:.4rem solid var(--muted);border-right:0}
.tables details[open]>summary::before{border:.3rem solid transparent;border-top:.4rem solid var(--muted);border-bottom:0;top:1.05rem;left:-1.1rem}
.tables .rows{text-align:right}
.tables .more{font-size:.8125rem;color:var(--muted)}
.mean{display:flex;gap:.5rem;align-items:center;justify-content:flex-end}
.mean .bar{width:5rem;margin:0}
.tables details>table{margin:0 0 .75rem 1.1rem;width:calc(100% - 1.1rem)}
.tables details>.note{margin:0 0 .75rem 1.1rem}
.tables td:nth-child(2),.tables th:nth-child(2){width:22%}
.tables th:first-child{width:34%}
.values,.chips{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:.25rem .4rem;margin-top:.15rem}
.values li,.chips li{background:var(--soft);border-radius:.3rem;padding:0 .4rem;font-size:.875rem}
.values b{font-weight:600}
.chips small{color:inherit}
.heat{min-width:32rem}
.heat th:first-child{width:34%}
.heat th small{display:inline;margin-left:.5rem}
.heat td,.heat thead th:not(:first-child){text-align:center;padding:.4rem .1rem;overflow-wrap:anywhere}
.heat td{border:2px solid var(--card);font-size:.875rem;vertical-align:middle}
.h0{background:var(--h0)}.h1{background:var(--h1)}.h2{background:var(--h2)}.h3{background:var(--h3)}.h4{background:var(--h4)}
.reasons{padding:0;list-style:none}
.reasons>li{padding:.6rem 0;border-top:1px solid var(--line);margin-top:.6rem}
.reasons ul{font-size:.875rem;margin-top:.25rem}
.tag{display:inline-block;white-space:nowrap;background:var(--soft);border-radius:.3rem;padding:0 .4rem;font-size:.8125rem;font-weight:400}
pre{overflow-x:auto;direction:ltr;unicode-bidi:bidi-override;background:var(--soft);border-radius:.35rem;padding:.4rem .6rem;margin:.25rem 0}
mark{background:none;color:var(--bad);font-weight:700}
pre span{color:var(--bad)}
.hash{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.75rem}
.trends{list-style:none;padding:0;display:grid;grid-template-columns:repeat(auto-fit,minmax(11rem,1fr));gap:.75rem}
.trends svg{display:block;width:100%;height:auto;margin:.25rem 0}
.trends polyline{fill:none;stroke:var(--blue);stroke-width:1.5;stroke-linejoin:round}
.trends circle{fill:var(--blue)}
.facts{display:flex;flex-wrap:wrap;gap:.25rem 2rem}
.facts dd{font-weight:600}
.identity{display:grid;gap:.35rem}
.identity div{display:grid;grid-template-columns:6rem minmax(0,1fr)}
@media (max-width:34rem){body{padding:1rem .75rem 3rem}.todo li{flex-wrap:wrap}.todo a{max-width:100%}h1{font-size:1.3rem;gap:.6rem}h1 svg{width:1.6rem;height:1.6rem}section{padding:.9rem .9rem 1rem}
.mean{grid-column:1/-1;justify-content:flex-start}.tables details>table{margin-left:0;width:100%}.identity div{grid-template-columns:1fr}
.tables th:first-child{width:32%}.tables td:nth-child(2),.tables th:nth-child(2){width:19%}.bar{min-width:2.2rem}th,td{padding-right:.5rem}.heat td{font-size:.75rem}}
@media print{:root{--page:#fff;--card:#fff;--soft:#f1f1ef}body{max-width:none;padding:0;font-size:10pt}section{border:0;padding:0;margin-top:1.2rem}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}h2,h3,summary,thead{break-after:avoid}tr,.card,.todo li,.reasons>li{break-inside:avoid}
details::details-content{content-visibility:visible;block-size:auto}summary::before{display:none}}
`)
