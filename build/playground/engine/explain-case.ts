import { isIP } from 'node:net'
import { schemeOf } from '@gatewright/api/peers'
import { ConfigError } from '@gatewright/core'
import {
  COLOURS,
  type Explanation,
  explain,
  explanationJson,
  explanationText,
  type LocalEnd,
  PolicyServer,
  type QuestionUrl,
  readQuestionUrl,
} from '@gatewright/policy'
import { innermostMistake } from '../../../packages/cli/src/gatewright/innermost-mistake.ts'
import { OFFLINE } from '../../../packages/cli/src/gatewright/offline-note.ts'
import { fromBytes, toBytes } from './bytes.ts'
import type { AnswerShown, RefusalShown } from './messages.ts'
import { openOptions } from './open-options.ts'
import { assumeSecure } from './page-ssl.ts'
import { asksForCertificate } from './page-ssl-start.ts'
import type { Case, GivenRequest } from './question-case.ts'
import { siteOf } from './site-of.ts'

export type Explained =
  | { readonly kind: 'explained'; readonly shown: AnswerShown }
  | { readonly kind: 'refused'; readonly mistake: RefusalShown }

/** The same answer as `gatewright explain --offline` gives for the files. */
export async function explainCase(given: Case): Promise<Explained> {
  const wrong = (message: string, hint: string | null = null): Explained => ({
    kind: 'refused',
    mistake: { file: '', line: 0, message, hint },
  })
  const { request } = given
  const where = readQuestionUrl(request.url)
  if (typeof where === 'string') return wrong(where)
  if (isIP(request.client) === 0) return wrong(`the client's address is an IP address, not ${request.client}`)
  const headers = readFields(request.fields)
  if (typeof headers === 'string') return wrong(headers)
  try {
    const site = siteOf(given)
    const open = (after: readonly string[]): Promise<PolicyServer> => PolicyServer.open({ ...openOptions(site), after })
    const server = await open([])
    try {
      const { client } = request
      const end = server.localEnd({ address: null, port: where.localPort, isPortWritten: where.isPortWritten, client })
      if ('complaint' in end) return wrong(end.complaint, 'write http://host:PORT/path')
      const secured = securedBy(server, where, end)
      if (typeof secured === 'string') return wrong(secured)
      assumeSecure(secured)
      const notes = [OFFLINE, ...(end.note === '' ? [] : [end.note]), ...(secured ? [ASSUMED_TLS] : [])]
      const explanation = await explain(
        server,
        {
          method: request.method,
          target: where.target,
          host: where.host,
          client,
          credentials: credentialsOf(request),
          headers,
          localAddress: end.address,
          localPort: end.port,
        },
        { asHttpd: () => open(AS_HTTPD), notes },
      )
      if (secured && explanation.tlsDemands.some(({ line }) => /^SSLVerifyClient\s+(?!none\b)/i.test(line)))
        return wrong(CERTIFICATE)
      return { kind: 'explained', shown: shownAnswer(explanation, site.folder) }
    } finally {
      await server.close()
    }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const { file, line, message, hint } = innermostMistake(error)
    const said = hint === undefined ? null : fromBytes(hint)
    return { kind: 'refused', mistake: { file: fromBytes(file), line, message: fromBytes(message), hint: said } }
  }
}

function shownAnswer(explanation: Explanation, folder: string): AnswerShown {
  const { status, reason, access, rule, headers, fields, notes, asked } = explanation
  // The page always says so itself. The note matters where a directory or database would have been asked.
  const shown = asked.length > 0 ? explanation : { ...explanation, notes: notes.filter((note) => note !== OFFLINE) }
  return {
    status,
    reason: fromBytes(reason),
    access,
    rule: fromBytes(rule.text),
    fields: [...headers, ...fields].map(([name, value]) => [fromBytes(name), fromBytes(value)] as const),
    text: fromBytes(explanationText(shown, { palette: COLOURS, folder, phases: 'none' })),
    json: fromBytes(explanationJson(explanation)),
  }
}

/** What a page cannot do. */
const ASSUMED_TLS =
  'the handshake of TLS is not made in a page: the connection counts as secured by TLS 1.3, with the name of the URL and without a certificate of the client'

/** Whether the connection of a question uses TLS, or why the question has no answer here. */
function securedBy(
  { configuration }: PolicyServer,
  { scheme, host }: QuestionUrl,
  { address, port }: LocalEnd,
): boolean | string {
  const base = configuration.hostAt(address, port, null)
  const isSecured = configuration.offered(schemeOf)?.(base) === 'https'
  if (scheme === 'http' && isSecured)
    return `connections to port ${port} use TLS: the server answers 400 Bad Request without it. Write https://`
  if (scheme === 'https' && !isSecured) return `connections to port ${port} do not use TLS: no SSLEngine on applies there`
  const named = configuration.hostAt(address, port, host.replace(/:\d+$/, ''))
  return isSecured && [base, named].some(asksForCertificate) ? CERTIFICATE : isSecured
}

/** Never an answer that nobody has computed. */
const CERTIFICATE =
  'SSLVerifyClient asks the client for a certificate here, and a page makes no handshake: gatewright explain --client-cert FILE answers this'

/** Without mod_access_compat, precedence has no meaning. */
const AS_HTTPD = ['<IfModule mod_access_compat.c>', 'AccessCompatPrecedence httpd', '</IfModule>']

function credentialsOf({ user, password }: GivenRequest): { readonly user: string; readonly password: string | null } | null {
  return user === '' ? null : { user: toBytes(user), password: password === null ? null : toBytes(password) }
}

function readFields(text: string): (readonly [string, string])[] | string {
  const fields: (readonly [string, string])[] = []
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line === '') continue
    const parsed = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*)$/.exec(toBytes(line))
    if (parsed === null) return `a header field is 'Name: value', not ${line}`
    fields.push([parsed[1], parsed[2]])
  }
  return fields
}
