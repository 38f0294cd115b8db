/** The style of the manager, for wide and narrow screens, light and dark mode, without fonts and images. */
export const STYLE: string = `:root { color-scheme: light dark;
--text: #1d2733; --dim: #55636f; --page: #f6f8fa; --card: #fff; --line: #d8dfe6; --soft: #eef2f6; --link: #0b5cad;
--green: #1f7a4d; --amber: #8f5c05; --red: #b92d2d; }
@media (prefers-color-scheme: dark) { :root {
--text: #d9e1e8; --dim: #98a6b3; --page: #12171c; --card: #1a2128; --line: #303b46; --soft: #212a33; --link: #79b8ff;
--green: #4cb782; --amber: #dfa23a; --red: #f0706a; } }
* { box-sizing: border-box; }
body { margin: 1.5rem auto; max-width: 84rem; padding: 0 1.25rem; font: 15px/1.5 system-ui, sans-serif; color: var(--text); background: var(--page); }
h1 { margin: 0 0 .25rem; font-size: 1.5rem; font-weight: 600; overflow-wrap: anywhere; }
h2 { margin: 0 0 .25rem; font-size: 1.15rem; font-weight: 600; overflow-wrap: anywhere; }
p { margin: .25rem 0; color: var(--dim); }
a { color: var(--link); overflow-wrap: anywhere; }
section { margin: 1.25rem 0; padding: 1rem 1.15rem; border: 1px solid var(--line); border-radius: 8px; background: var(--card); }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; margin: .75rem 0 0; font-size: .875rem; font-variant-numeric: tabular-nums; }
th, td { padding: .35rem .6rem; border-bottom: 1px solid var(--line); text-align: left; white-space: nowrap; }
td:first-child { white-space: normal; min-width: 14rem; }
th { color: var(--dim); font-weight: 600; }
td.number, th.number { text-align: right; }
.ok { color: var(--green); } .off { color: var(--amber); } .bad, .problem { color: var(--red); }
.facts { display: flex; flex-wrap: wrap; gap: .1rem 1.5rem; margin: 0; color: var(--dim); font-size: .875rem; }
.facts b { color: var(--text); font-weight: 600; }
form { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr)); gap: .75rem 1.25rem; margin-top: .75rem; }
label, legend { display: block; color: var(--dim); font-size: .85rem; }
fieldset { margin: 0; padding: .35rem .6rem; border: 1px solid var(--line); border-radius: 6px; min-width: 0; }
fieldset label { display: inline-block; margin-right: .9rem; color: var(--text); }
input[type=text], select { width: 100%; padding: .35rem .5rem; border: 1px solid var(--line); border-radius: 6px; font: inherit; color: var(--text); background: var(--page); }
button { justify-self: start; padding: .4rem 1.4rem; border: 1px solid var(--line); border-radius: 6px; font: inherit; color: var(--link); background: var(--soft); cursor: pointer; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
@media (max-width: 40rem) { body { padding: 0 .6rem; } section { padding: .75rem .7rem; }
table, tbody { display: block; } tr:first-child { display: none; }
tr { display: grid; grid-template-columns: repeat(3, 1fr); padding: .5rem 0; border-bottom: 1px solid var(--line); }
td, td.number { display: block; padding: .15rem 0; border: 0; text-align: left; white-space: normal; }
td:first-child { grid-column: 1 / -1; min-width: 0; font-weight: 600; } td:empty { display: none; }
td:not(:first-child)::before { content: attr(data-name); display: block; color: var(--dim); font-size: .75rem; } }
`
