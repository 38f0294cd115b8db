import { DECLINED, type Outcome, type Request } from '@gatewright/api'
import { html, raw } from '@gatewright/api/text'
import type { CacheFigures } from './answer-cache.ts'
import type { Directories } from './directories.ts'

const NAMES: Readonly<Record<CacheFigures['kind'], string>> = {
  user: 'Searches',
  comparison: 'Compares',
  dn: 'DNCompares',
  subgroups: 'Subgroups',
}

/** For wide and narrow screens, light and dark mode. */
const STYLE = `:root { color-scheme: light dark; --text: #1d2733; --dim: #55636f; --page: #f6f8fa; --card: #fff; --line: #d8dfe6; --soft: #eef2f6; }
@media (prefers-color-scheme: dark) { :root { --text: #d9e1e8; --dim: #98a6b3; --page: #12171c; --card: #1a2128; --line: #303b46; --soft: #212a33; } }
body { margin: 1.5rem auto; max-width: 60rem; padding: 0 .75rem; font: 15px/1.5 system-ui, sans-serif; color: var(--text); background: var(--page); }
h1 { margin: 0; font-size: 1.5rem; font-weight: 600; letter-spacing: -.01em; }
p { margin: .25rem 0 1.25rem; color: var(--dim); }
table { width: 100%; margin: 1.25rem 0; border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums; background: var(--card); }
th, td { padding: .35rem .5rem; border: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: anywhere; }
th { background: var(--soft); font-weight: 600; }
`

/** The handler `ldap-status`: connections and caches of the process that answers. It shows no user and no password. */
export function answerLdapStatus(request: Request, { pool, cache }: Directories): Outcome {
  if (request.handler !== 'ldap-status' || (request.method !== 'GET' && !request.headerOnly)) return DECLINED
  const places = pool.figures().map(({ place, inUse, idle, waiting }) => {
    const [hosts, port, security] = parts(place)
    return html`<tr><td>${hosts}</td><td>${port}</td><td>${security}</td><td>${inUse}</td><td>${idle}</td><td>${waiting}</td></tr>`
  })
  const caches = cache
    ?.figures()
    .map(
      ({ url, kind, entries, limit, found, notFound }) =>
        html`<tr><td>${url} (${NAMES[kind]})</td><td>${entries}/${limit}</td><td>${found}/${found + notFound}</td></tr>`,
    )
  const page = html`<!DOCTYPE html>
<html lang="en"><head><title>LDAP Cache Information</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>${raw(STYLE)}</style>
</head>
<body><main><h1>LDAP Cache Information</h1>
<p>Process ${process.pid} of the server; others have connections and caches of their own.</p>
<table>
<tr><th>Cache Name</th><th>Entries</th><th>Hits</th></tr>
${caches ?? [html`<tr><td colspan="3">Cache has not been enabled/initialised.</td></tr>`]}
</table>
<table>
<tr><th>Servers</th><th>Port</th><th>Security</th><th>Connections in use</th><th>Idle</th><th>Requests that wait</th></tr>
${places}
</table>
</main></body></html>
`
  return request.send('text/html; charset=ISO-8859-1', String(page))
}

function parts(place: string): string[] {
  const values: unknown = JSON.parse(place)
  return Array.isArray(values) ? values.map(String) : []
}
