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
import { differenceOf } from './answer.ts'
import { Http1Client } from './by-http1.ts'
import { Http2Client } from './by-http2.ts'
import { randomConversation } from './conversation.ts'
import { echo } from './echo-module.ts'
import { choiceOf, type PlannedRequest, randomRequests } from './requests.ts'

export interface CampaignOptions {
  readonly seed: number
  readonly conversations: number
  readonly first: number
  /** Ends after so many differences. */
  readonly findings: number
}

export interface Campaign {
  /** Frames of the client, header blocks counting as one. */
  readonly frames: number
  readonly compared: number
  readonly givenUp: number
  readonly found: readonly string[]
}

const MODULES = [alias, authBasic, authnCore, authnFile, authzCore, authzUser, dir, headers, http2, logConfig, mime, echo]

const CONFIG = `Protocols h2c http/1.1
KeepAliveTimeout 300
TypesConfig "@ROOT@/types"
AddType text/plain .txt
LogFormat "%{x-id}i %h %u \\"%m %U %q\\" %>s %b \\"%{Referer}i\\" %{X-End}^ti" plain
CustomLog "@ROOT@/access-1.log" plain "expr=%{SERVER_PROTOCOL} == 'HTTP/1.1'"
CustomLog "@ROOT@/access-2.log" plain "expr=%{SERVER_PROTOCOL} == 'HTTP/2.0'"
ErrorDocument 404 /page.html
Redirect /old /f.txt
Header always set X-Status "expr=%{REQUEST_STATUS} %{REQUEST_URI}"
<LocationMatch "/echo$">
SetHandler echo
</LocationMatch>
<Location "/denied">
Require all denied
</Location>
<Location "/private">
AuthType Basic
AuthName "private"
AuthUserFile "@ROOT@/users"
Require valid-user
</Location>
`

const FILES = {
  'docs/f.txt': 'a small file',
  'docs/denied/f.txt': 'secret',
  'docs/private/f.txt': 'private',
  'docs/folder/index.html': 'an index page',
  'docs/big.txt': '0123456789'.repeat(9000),
  'docs/empty.txt': '',
  'docs/page.html': '<p>not found</p>',
  types: '',
  users: 'a:{SHA}6dcd4ce23d88e2ee9568ba546c007c63d9131c1b\n',
}

/** How long a log line may take to arrive, ms. */
const PATIENCE = 30_000

/** Sends the requests of each conversation in random interleavings, and compares with the answers to them one by one. */
export async function campaign({ seed, conversations, first, findings }: CampaignOptions): Promise<Campaign> {
  const server = await site({ modules: MODULES, config: CONFIG, files: FILES })
  const port = await server.listen()
  const http1 = new Http1Client(port)
  const found: string[] = []
  const compared: PlannedRequest[] = []
  let frames = 0
  let givenUp = 0
  try {
    for (let index = first; index < first + conversations && found.length < findings; index++) {
      const choice = choiceOf(seed, index)
      const requests = randomRequests(choice, seed, index)
      const conversation = randomConversation(choice, requests)
      frames += conversation.steps.length
      const http2Client = new Http2Client(port)
      await http2Client.run(choice, conversation)
      http2Client.close()
      const place = `conversation ${index} (--seed ${seed} --first ${index} --conversations 1)`
      for (const text of http2Client.found) found.push(`${place}: ${text}`)
      for (const [at, request] of requests.entries()) {
        if (request.isReset) givenUp++
        else {
          compared.push(request)
          const two = http2Client.answer(2 * at + 1)
          const difference = two === null ? 'no complete response' : differenceOf(await http1.answer(request), two)
          if (difference !== null)
            found.push(`${place}, stream ${2 * at + 1}: ${JSON.stringify(shown(request))}\n  ${difference}`)
        }
      }
    }
    if (found.length === 0) found.push(...(await loggedDifferently(server.serverRoot, compared)))
  } finally {
    http1.close()
    await server.close()
  }
  return { frames, compared: compared.length, givenUp, found }
}

/** The log has one line of each request, the same by both protocols. */
async function loggedDifferently(root: string, compared: readonly PlannedRequest[]): Promise<string[]> {
  const found: string[] = []
  const ids = new Set(compared.map(({ id }) => id))
  const [one, two] = [await linesOf(`${root}/access-1.log`, ids), await linesOf(`${root}/access-2.log`, ids)]
  for (const { id, method } of compared) {
    const [first, second] = [one.get(id), two.get(id)].map((lines) =>
      (lines ?? []).map((line) => comparable(method, line)).join('\n'),
    )
    if (first !== second) found.push(`request ${id}: the access log has\n  ${first}\n  ${second}`)
  }
  return found
}

/** httpd logs the length of the response to HEAD over HTTP/2 as that of GET. */
function comparable(method: string, line: string): string {
  return method === 'HEAD' ? line.replace(/(" \d{3}) \S+/, '$1') : line
}

/** The lines of a log by the ids of their requests, which another turn of the loop writes. */
async function linesOf(path: string, ids: ReadonlySet<string>): Promise<Map<string, string[]>> {
  for (let waited = 0; ; waited += 20) {
    const lines = new Map<string, string[]>()
    for (const line of readFileSync(path, 'latin1').split('\n')) {
      const [id] = line.split(' ', 1)
      if (ids.has(id)) lines.set(id, [...(lines.get(id) ?? []), line])
    }
    if (lines.size === ids.size) return lines
    if (waited > PATIENCE) throw new Error(`${path} has lines of ${lines.size} of ${ids.size} requests`)
    await setTimeout(20)
  }
}

function shown({ method, path, fields, body, statesLength }: PlannedRequest): unknown {
  return {
    method,
    path,
    fields: fields.map(([name, value]) => `${name}: ${value.slice(0, 40)}`),
    body: body?.map(({ length }) => length),
    statesLength,
  }
}
