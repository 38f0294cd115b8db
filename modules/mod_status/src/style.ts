/**
 * The style of the page, for wide and narrow screens, light and dark mode. Self-contained: no fonts, no
 * images.
 */
export const STYLE: string = `:root { color-scheme: light dark;
--text: #1d2733; --dim: #55636f; --page: #f6f8fa; --card: #fff; --line: #d8dfe6; --soft: #eef2f6; --link: #0b5cad;
--green: #2f8f62; --blue: #2b6fc2; --amber: #c07d10; --red: #cf3a3a; --purple: #8250c4; --grey: #8794a1; }
@media (prefers-color-scheme: dark) { :root {
--text: #d9e1e8; --dim: #98a6b3; --page: #12171c; --card: #1a2128; --line: #303b46; --soft: #212a33; --link: #79b8ff;
--green: #4cb782; --blue: #5b9df0; --amber: #dfa23a; --red: #f0706a; --purple: #b18af0; --grey: #6f7d8a; } }
* { box-sizing: border-box; }
body { margin: 1.5rem auto; max-width: 84rem; padding: 0 1.25rem; font: 15px/1.5 system-ui, sans-serif; color: var(--text); background: var(--page); }
h1 { margin: 0 0 1rem; font-size: 1.5rem; font-weight: 600; letter-spacing: -.01em; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; font-weight: 600; }
hr { margin: 1.25rem 0; border: 0; border-top: 1px solid var(--line); }
dl { margin: 0; }
dt { padding: .1rem 0; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
pre { overflow-x: auto; margin: 1.25rem 0 .75rem; padding: .8rem 1rem; border: 1px solid var(--line); border-radius: 8px; background: var(--card); }
pre, code { font: 14px/1.6 ui-monospace, monospace; }
table { border-collapse: collapse; margin: 1.25rem 0; font-size: .875rem; font-variant-numeric: tabular-nums; }
body > table { display: block; overflow-x: auto; }
th, td { padding: .3rem .6rem; border: 1px solid var(--line); text-align: left; vertical-align: top; }
th { background: var(--soft); font-weight: 600; }
tr:hover > td { background: var(--soft); }
tr > td[bgcolor] { background: var(--card); }
tr:first-child > td[bgcolor] { background: var(--soft); }
td[bgcolor] font { font-family: inherit; color: var(--text); }
address { color: var(--dim); font-size: .85rem; }
.live { margin: 0 0 1.75rem; }
.state { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.25rem; margin: 0 0 .6rem; color: var(--dim); font-size: .875rem; }
.state span:first-child::before { content: ""; display: inline-block; width: .55em; height: .55em; margin-right: .5em; border-radius: 50%; background: var(--green); }
.stale .state span:first-child::before { background: var(--red); }
.live button { margin-left: auto; padding: .25rem .9rem; border: 1px solid var(--line); border-radius: 6px; font: inherit; color: var(--link); background: var(--card); cursor: pointer; }
.live button:hover { background: var(--soft); }
.live :focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .75rem; margin-bottom: .75rem; }
.tiles > div, .live figure { min-width: 0; padding: .7rem .9rem; border: 1px solid var(--line); border-radius: 8px; background: var(--card); }
.tiles dt { padding: 0; color: var(--dim); font-size: .8rem; }
.tiles dd { margin: 0; }
.tiles b { display: block; font-size: 1.35rem; font-weight: 600; line-height: 1.35; font-variant-numeric: tabular-nums; white-space: nowrap; }
.tiles small { display: block; min-height: 1.5em; color: var(--dim); font-size: .75rem; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 27rem), 1fr)); gap: .75rem; }
.live figure { margin: 0; }
figcaption { margin-bottom: .5rem; font-weight: 600; }
.plot { position: relative; margin-left: 3.6rem; }
.plot svg { display: block; width: 100%; height: 9rem; overflow: hidden; }
.marks { position: absolute; inset: 0; pointer-events: none; }
.marks span { position: absolute; right: calc(100% + .5rem); transform: translateY(50%); color: var(--dim); font-size: .72rem; line-height: 1; white-space: nowrap; font-variant-numeric: tabular-nums; }
.times { display: flex; justify-content: space-between; margin: .25rem 0 .5rem 3.6rem; color: var(--dim); font-size: .72rem; }
.grid, .reload { stroke: var(--line); stroke-width: 1; vector-effect: non-scaling-stroke; }
.reload { stroke: var(--text); stroke-dasharray: 3 3; }
.green { --color: var(--green); } .blue { --color: var(--blue); } .amber { --color: var(--amber); }
.red { --color: var(--red); } .purple { --color: var(--purple); } .grey { --color: var(--grey); }
.area { fill: var(--color); fill-opacity: .85; }
.line { fill: none; stroke: var(--color); stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; vector-effect: non-scaling-stroke; }
.legend { display: flex; flex-wrap: wrap; gap: .1rem .9rem; min-height: 1.55em; align-content: flex-start; margin: 0; padding: 0; list-style: none; font-size: .82rem; color: var(--dim); }
.legend i { display: inline-block; width: .7em; height: .7em; margin-right: .45em; border-radius: 2px; background: var(--color); }
.legend b { display: inline-block; min-width: 2.6em; color: var(--text); font-weight: 600; font-variant-numeric: tabular-nums; }
.tables { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0 .75rem; align-items: start; margin-top: 1rem; }
.scroll { overflow-x: auto; }
.live table { width: 100%; margin: 0 0 1rem; font-size: .82rem; background: var(--card); white-space: nowrap; }
.live th, .live td { padding: .3rem .5rem; }
.live caption { padding: 0 0 .35rem; text-align: left; font-weight: 600; }
.live summary { width: fit-content; color: var(--link); cursor: pointer; }
.live details table { margin-top: .75rem; }
@media (min-width: 75rem) { .tables { grid-template-columns: minmax(0, 8fr) minmax(0, 5fr); } }
@media (max-width: 40rem) {
.legend { min-height: 3.1em; }
body { padding: 0 .75rem; }
.tiles { grid-template-columns: repeat(2, minmax(0, 1fr)); }
.tiles > div, .live figure { padding: .6rem .7rem; }
}
`
