import { DECLINED, type Outcome, type Request } from '@gatewright/api'
import { html } from '@gatewright/api/text'
import type { CacheFigures } from './answer-cache.ts'
import type { Directories } from './directories.ts'

const NAMES: Readonly<Record<CacheFigures['kind'], string>> = {
  user: 'Searches',
  comparison: 'Compares',
  dn: 'DNCompares',
  subgroups: 'Subgroups',
}

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
<html lang="en"><head><title>LDAP Cache Information</title></head>
<body><h1>LDAP Cache Information</h1>
<p>Process ${process.pid} of the server; others have connections and caches of their own.</p>
<table border="1">
<tr><th>Cache Name</th><th>Entries</th><th>Hits</th></tr>
${caches ?? [html`<tr><td colspan="3">Cache has not been enabled/initialised.</td></tr>`]}
</table>
<table border="1">
<tr><th>Servers</th><th>Port</th><th>Security</th><th>Connections in use</th><th>Idle</th><th>Requests that wait</th></tr>
${places}
</table>
</body></html>
`
  return request.send('text/html; charset=ISO-8859-1', String(page))
}

function parts(place: string): string[] {
  const values: unknown = JSON.parse(place)
  return Array.isArray(values) ? values.map(String) : []
}
