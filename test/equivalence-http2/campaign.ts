import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { site } from '@gatewright/testing'
import alias from '../../modules/mod_alias/src/index.ts'
import authBasic from '../../modules/mod_auth_basic/src/index.ts'
import authnCore from '../../modules/mod_authn_core/src/index.ts'
import authnFile from '../../modules/mod_authn_file/src/index.ts'
import authzCore from '../../modules/mod_authz_core/src/index.ts'
import authzUser from '../../modules/mod_authz_user/src/index.ts'
import dir from '../../modules/mod_dir/src/index.ts'
import headers from '../../modules/mod_headers/src/index.ts'
import http2 from '../../modules/mod_http2/src/index.ts'
import logConfig from '../../modules/mod_log_config/src/index.ts'
import mime from '../../modules/mod_mime/src/index.ts'
import { type Answer, BothClients } from './answers.ts'
import { type PlainRequest, randomRequest } from './random-request.ts'

export interface CampaignOptions {
  readonly seed: number
  readonly requests: number
  readonly first: number
}

export interface Campaign {
  readonly compared: number
  /** How many responses had each status. */
  readonly statuses: ReadonlyMap<number, number>
  /** Differences, in words. */
  readonly found: readonly string[]
}

const MODULES = [authBasic, alias, authnCore, authnFile, authzCore, authzUser, dir, headers, http2, logConfig, mime]

const CONFIG = `Protocols h2c http/1.1
TypesConfig "@ROOT@/types"
AddType text/plain .txt
AddType text/html .html
CustomLog "@ROOT@/access.log" "%h %l %u \\"%m %U %q\\" %>s %b \\"%{Referer}i\\" \\"%{User-Agent}i\\" %V"
ErrorDocument 404 /page.html
LimitRequestFieldSize 8000
Redirect /old /f.txt
Redirect gone /gone
Header set X-Method "expr=%{REQUEST_METHOD} %{REQUEST_URI} %{HTTP_HOST} %{HTTP_COOKIE}"
Header always set X-Status "expr=%{REQUEST_STATUS}"
<Location "/denied">
Require all denied
</Location>
<Location "/vary">
Header set Vary "Cookie, Accept"
</Location>
<Location "/private">
AuthType Basic
AuthName "private"
AuthUserFile "@ROOT@/users"
Require valid-user
</Location>
<VirtualHost *:*>
ServerName localhost
</VirtualHost>
<VirtualHost *:*>
ServerName other
Header set X-Host other
</VirtualHost>
`

const FILES = {
  'docs/f.txt': 'a small file',
  'docs/a b.txt': 'a blank',
  'docs/denied/f.txt': 'secret',
  'docs/private/f.txt': 'private',
  'docs/folder/index.html': 'index',
  'docs/big.txt': '0123456789'.repeat(20_000),
  'docs/empty.txt': '',
  'docs/page.html': '<p>not found</p>',
  'docs/vary': 'varies',
  types: '',
  users: 'a:{SHA}6dcd4ce23d88e2ee9568ba546c007c63d9131c1b\n',
}

/** How long a log line may take to arrive, ms. */
const PATIENCE = 30_000

/** Sends each request by both protocols, one after the other, and compares responses and log lines. */
export async function campaign({ seed, requests, first }: CampaignOptions): Promise<Campaign> {
  const server = await site({ modules: MODULES, config: CONFIG, files: FILES })
  const clients = new BothClients(await server.listen())
  const found: string[] = []
  const statuses = new Map<number, number>()
  try {
    for (let index = first; index < first + requests; index++) {
      const request = randomRequest(seed, index)
      const one = await clients.http1(request)
      const two = await clients.http2(request)
      statuses.set(one.status, (statuses.get(one.status) ?? 0) + 1)
      const difference = differenceOf(request, one, two)
      if (difference !== null)
        found.push(
          `request ${index} (--seed ${seed} --first ${index} --requests 1)\n  ${JSON.stringify(request)}\n  ${difference}`,
        )
    }
    const lines = await linesOf(`${server.serverRoot}/access.log`, 2 * requests)
    for (let i = 0; i < requests; i++) {
      const { method } = randomRequest(seed, first + i)
      const [one, two] = [comparableLine(method, lines[2 * i]), comparableLine(method, lines[2 * i + 1])]
      if (one !== two) found.push(`request ${first + i}: the access log has\n  ${one}\n  ${two}`)
    }
  } finally {
    clients.close()
    await server.close()
  }
  return { compared: requests, statuses, found }
}

function differenceOf({ method }: PlainRequest, one: Answer, two: Answer): string | null {
  if (one.status !== two.status) return `status ${one.status} by HTTP/1.1, ${two.status} by HTTP/2`
  const [fields, others] = [comparableFields(one), comparableFields(two)]
  if (fields !== others) return `fields${fields}\n  and${others}`
  // The body of TRACE names the protocol and spells names as it arrived.
  return method === 'TRACE' || one.body === two.body ? null : `bodies of ${one.body.length} and ${two.body.length} bytes`
}

/** Rules of mod_headers apply twice to a page that refuses ranges over HTTP/2, in httpd as well: their fields are repeated. */
function comparableFields({ status, fields }: Answer): string {
  return [...(status === 416 ? new Set(fields) : fields)].map((field) => `\n    ${field}`).join('')
}

/** httpd logs the length of the response to HEAD over HTTP/2 as that of GET, and TRACE repeats what each protocol sent. */
function comparableLine(method: string, line: string): string {
  return method === 'HEAD' || method === 'TRACE' ? line.replace(/(" \d{3}) \S+/, '$1') : line
}

/** The lines of a log that another turn of the loop writes. */
async function linesOf(path: string, count: number): Promise<string[]> {
  for (let waited = 0; ; waited += 20) {
    const lines = readFileSync(path, 'latin1').split('\n').slice(0, -1)
    if (lines.length >= count) return lines
    if (waited > PATIENCE) throw new Error(`the access log has ${lines.length} of ${count} lines`)
    await setTimeout(20)
  }
}
