/**
 * The page's style, similar to server-status: for wide and narrow screens, light and dark, and paper. No
 * fonts, images or scripts.
 */
export const STYLE: string = `:root { color-scheme: light dark;
--text: #1d2733; --dim: #55636f; --page: #f6f8fa; --card: #fff; --line: #d8dfe6; --soft: #eef2f6; --link: #0b5cad;
--green: #23724c; --amber: #8f5a00; --red: #b92c2c; --grey: #66737f; }
@media (prefers-color-scheme: dark) { :root {
--text: #d9e1e8; --dim: #98a6b3; --page: #12171c; --card: #1a2128; --line: #303b46; --soft: #212a33; --link: #79b8ff;
--green: #4cb782; --amber: #dfa23a; --red: #f0706a; --grey: #8d9aa6; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 2rem auto 3rem; max-width: 64rem; padding: 0 1.25rem; font: 15px/1.55 system-ui, sans-serif; color: var(--text); background: var(--page); overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 1.5rem; font-weight: 600; letter-spacing: -.01em; line-height: 1.3; }
h2 { margin: 0; font-size: 1.15rem; font-weight: 600; }
h2 small { margin-left: .4em; color: var(--dim); font-size: .875rem; font-weight: 400; }
p { margin: 0; }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
code, pre { font: 13px/1.55 ui-monospace, monospace; }
.must { --color: var(--red); } .look { --color: var(--amber); } .know { --color: var(--grey); } .ready { --color: var(--green); } .zero { --color: var(--dim); }
.eyebrow { color: var(--dim); font-size: .8rem; letter-spacing: .04em; text-transform: uppercase; }
header > code { display: block; margin-top: .25rem; color: var(--dim); }
.verdict { margin: 1.25rem 0 .75rem; padding: .9rem 1.1rem; border: 1px solid var(--line); border-left: 4px solid var(--color); border-radius: 8px; background: var(--card); }
.verdict strong { display: block; font-size: 1.1rem; font-weight: 600; }
.verdict p { color: var(--dim); font-size: .9rem; }
.tiles { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: .75rem; margin: 0 0 .75rem; }
.tiles > div { padding: .6rem .9rem; border: 1px solid var(--line); border-radius: 8px; background: var(--card); }
.tiles dt { color: var(--dim); font-size: .8rem; }
.tiles dd { margin: 0; color: var(--color); font-size: 1.35rem; font-weight: 600; line-height: 1.35; font-variant-numeric: tabular-nums; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 0 0 1.75rem; font-size: .875rem; }
nav b { color: var(--dim); font-weight: 400; font-variant-numeric: tabular-nums; }
section { margin: 2rem 0 0; }
.none { margin-top: .6rem; color: var(--dim); }
.steps { margin: .75rem 0 0; padding: .4rem 1.1rem; border: 1px solid var(--line); border-radius: 8px; background: var(--card); list-style: none; counter-reset: step; }
.steps li { position: relative; padding: .55rem 0 .55rem 2.1rem; border-top: 1px solid var(--line); counter-increment: step; }
.steps li:first-child { border-top: 0; }
.steps li::before { content: counter(step); position: absolute; left: 0; top: .62rem; width: 1.5em; height: 1.5em; border-radius: 50%; background: var(--soft); color: var(--dim); font-size: .8rem; line-height: 1.5em; text-align: center; }
.steps code { display: block; width: fit-content; max-width: 100%; margin-top: .3rem; padding: .2rem .55rem; border-radius: 5px; background: var(--soft); }
article { margin: .75rem 0 0; padding: .75rem 1.1rem .85rem; border: 1px solid var(--line); border-left: 4px solid var(--color); border-radius: 8px; background: var(--card); break-inside: avoid; }
article > header { display: flex; flex-wrap: wrap; align-items: baseline; gap: .1rem 1rem; font-size: .8rem; color: var(--dim); }
article > header b { color: var(--color); font-weight: 600; }
article > header span { margin-left: auto; }
article > header code { font-size: .78rem; }
article > code { display: block; margin: .3rem 0 .25rem; font-size: 14px; font-weight: 600; white-space: pre-wrap; }
pre { overflow-x: auto; margin: .6rem 0 0; padding: .45rem .7rem; border-radius: 6px; background: var(--soft); }
pre ins { color: var(--green); text-decoration: none; }
del { color: var(--dim); }
details { margin: .75rem 0 0; padding: .6rem 1.1rem; border: 1px solid var(--line); border-left: 4px solid var(--color, var(--grey)); border-radius: 8px; background: var(--card); }
summary { color: var(--link); cursor: pointer; }
.rows { margin: .4rem 0 0; padding: 0; list-style: none; font-size: .875rem; }
.rows li { padding: .4rem 0; border-top: 1px solid var(--line); }
.rows li > code { margin-right: .6rem; }
.rows small { display: block; color: var(--dim); font-size: .78rem; }
footer p { margin-top: .75rem; }
footer { margin-top: 2.5rem; color: var(--dim); font-size: .85rem; }
@media (max-width: 40rem) {
body { margin-top: 1rem; padding: 0 .75rem; }
article, details, .verdict { padding-left: .8rem; padding-right: .8rem; }
pre { white-space: pre-wrap; }
.tiles { gap: .5rem; } .tiles > div { padding: .5rem .6rem; }
article > header span { margin-left: 0; width: 100%; }
}
@media print {
:root { color-scheme: light; --text: #000; --dim: #444; --page: #fff; --card: #fff; --line: #bbb; --soft: #f2f2f2; --link: #000; --green: #1b5e3c; --amber: #7a4d00; --red: #a32020; --grey: #555; }
body { margin: 0; max-width: none; padding: 0; font-size: 10pt; }
nav { display: none; }
details::details-content { content-visibility: visible; block-size: auto; }
pre { white-space: pre-wrap; }
}
`
