/**
 * The style of the page, for wide and narrow screens, light and dark mode. Self-contained: no fonts, images
 * or scripts.
 */
export const STYLE: string = `:root { color-scheme: light dark; --line: #d8dfe6; --soft: #f1f5f8; --dim: #5b6977; --link: #0b5cad; }
body { margin: 2rem auto; max-width: 76rem; padding: 0 1.25rem; font: 15px/1.5 system-ui, sans-serif; color: #1d2733; background: #fbfcfd; }
h1 { margin: 0 0 1.25rem; font-size: 1.5rem; font-weight: 600; letter-spacing: -.01em; text-align: left !important; }
h2 { margin: .25rem 0 .75rem; font-size: 1.15rem; font-weight: 600; }
hr { margin: 1.5rem 0; border: 0; border-top: 1px solid var(--line); }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
a[name] { color: inherit; }
dl { margin: 0; }
dt { padding: .15rem 0; }
dt > strong:first-child, dt > a > strong { font-weight: 600; }
dd { margin: 0; padding: .05rem 0 .05rem 1.25rem; overflow-wrap: anywhere; }
dd:hover { background: var(--soft); }
dt + dd { margin-top: .15rem; }
tt { font: 13px/1.55 ui-monospace, monospace; }
font > tt { font-size: 14px; }
i { font-style: normal; color: var(--dim); }
em { color: var(--dim); }
address { color: var(--dim); font-size: .85rem; }
@media (prefers-color-scheme: dark) {
:root { --line: #303a45; --soft: #1b222a; --dim: #93a1af; --link: #74b3f2; }
body { color: #d5dde5; background: #14191f; }
}
`
