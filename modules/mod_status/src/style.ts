/** Makes the page pleasant to read, wide or narrow, by day and by night. Self-contained: no fonts, images or scripts. */
export const STYLE: string = `:root { color-scheme: light dark; }
body { margin: 2rem auto; max-width: 76rem; padding: 0 1.25rem; font: 15px/1.5 system-ui, sans-serif; color: #1d2733; background: #fbfcfd; }
h1 { margin: 0 0 1.25rem; font-size: 1.5rem; font-weight: 600; letter-spacing: -.01em; }
h2 { font-size: 1.15rem; font-weight: 600; }
hr { margin: 1.25rem 0; border: 0; border-top: 1px solid #d8dfe6; }
dl { margin: 0; }
dt { padding: .1rem 0; font-variant-numeric: tabular-nums; }
pre { overflow-x: auto; margin: 1.25rem 0 .75rem; padding: .8rem 1rem; border: 1px solid #d8dfe6; border-radius: 6px; background: #f1f5f8; }
pre, code { font: 14px/1.6 ui-monospace, monospace; }
table { border-collapse: collapse; margin: 1.25rem 0; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .6rem; border: 1px solid #d8dfe6; text-align: left; vertical-align: top; }
th { background: #eaf0f4; font-weight: 600; }
tr:hover > td { background: #f1f5f8; }
address { color: #5b6977; font-size: .85rem; }
@media (prefers-color-scheme: dark) {
body { color: #d5dde5; background: #14191f; }
hr, pre, th, td { border-color: #303a45; }
pre, tr:hover > td { background: #1b222a; }
th { background: #222b35; }
address { color: #8c9aa8; }
}
`
