import { isIP } from 'node:net'
import { type Question, readQuestionUrl, type WantedEnd } from '@gatewright/policy'
import type { ColourChoice } from './output-palette.ts'
import { TREE_OVERRIDE } from './tree-rules.ts'
import { sortWords, type UsageError } from './words.ts'

/** The options of `gatewright explain`. */
export interface ExplainRequest {
  readonly question: Omit<Question, 'localAddress' | 'localPort' | 'tls'>
  /** The scheme of the URL; null if it names none. */
  readonly scheme: 'http' | 'https' | null
  readonly tls: ExplainedTls
  /** The local end of the client's connection, as far as the command line specifies it. */
  readonly localEnd: Omit<WantedEnd, 'client'>
  /** Source of the rules: a server's configuration, or a tree of .htaccess files. */
  readonly from:
    | { readonly kind: 'server'; readonly serverRoot: string | null; readonly configFile: string | null }
    | { readonly kind: 'tree'; readonly folder: string; readonly allowOverride: string }
  readonly defines: readonly string[]
  readonly before: readonly string[]
  readonly after: readonly string[]
  readonly output: 'text' | 'json'
  /** A line of a log instead of a URL. */
  readonly line: { readonly kind: 'access' | 'error'; readonly text: string } | null
  /** Whether the text shows every phase. */
  readonly phases: 'all' | 'none'
  readonly colour: ColourChoice
  /** `offline` asks no directory, database or authorizer. */
  readonly reach: 'online' | 'offline'
}

const OPTIONS = {
  root: { type: 'string', short: 'd' },
  file: { type: 'string', short: 'f' },
  define: { type: 'string', short: 'D', multiple: true },
  before: { type: 'string', short: 'C', multiple: true },
  after: { type: 'string', short: 'c', multiple: true },
  tree: { type: 'string' },
  'allow-override': { type: 'string' },
  method: { type: 'string', short: 'X' },
  from: { type: 'string' },
  user: { type: 'string', short: 'u' },
  header: { type: 'string', short: 'H', multiple: true },
  to: { type: 'string' },
  sni: { type: 'string' },
  tls: { type: 'string' },
  ciphers: { type: 'string' },
  'client-cert': { type: 'string' },
  'client-key': { type: 'string' },
  log: { type: 'string' },
  error: { type: 'string' },
  offline: { type: 'boolean' },
  trace: { type: 'boolean' },
  json: { type: 'boolean' },
  color: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

export function parseExplainOptions(argv: readonly string[]): ExplainRequest | UsageError | 'help' {
  const words = sortWords(argv, OPTIONS)
  if ('complaint' in words) return words
  const { values, positionals } = words
  if (values.help === true) return 'help'
  const line = readLogOption(values.log, values.error)
  if (line !== null && 'complaint' in line) return line
  const [url, ...surplus] = line === null ? positionals : [...positionals, '/']
  if (url === undefined || surplus.length > 0)
    return { complaint: line === null ? 'name one URL' : '--log and --error replace the URL' }
  const where = readQuestionUrl(url)
  if (typeof where === 'string') return { complaint: where }
  const client = values.from ?? '127.0.0.1'
  if (isIP(client) === 0) return { complaint: `--from takes an IP address, not ${client}` }
  const to = readAddress(values.to)
  if (to === null) return { complaint: `--to takes ADDRESS:PORT or :PORT, not ${values.to ?? ''}` }
  const headers = (values.header ?? []).map(readHeader)
  const wrong = headers.indexOf(null)
  if (wrong >= 0) return { complaint: `--header takes 'Name: value', not ${values.header?.[wrong] ?? ''}` }
  const tls = readTls(values)
  if ('complaint' in tls) return tls
  if (where.scheme === 'http' && hasTlsOption(values)) return { complaint: 'options about TLS need a URL with https://' }
  const color = values.color ?? 'auto'
  if (color !== 'auto' && color !== 'always' && color !== 'never')
    return { complaint: `--color takes auto, always or never, not ${color}` }
  if (values.tree !== undefined && (values.root !== undefined || values.file !== undefined))
    return { complaint: '--tree replaces a configuration: omit -d and -f' }
  return {
    question: {
      method: values.method ?? 'GET',
      target: where.target,
      host: where.host,
      client,
      credentials: values.user === undefined ? null : readUser(values.user),
      headers: headers.filter((header) => header !== null),
    },
    scheme: where.scheme,
    tls,
    localEnd: {
      address: to.address,
      port: to.port ?? where.localPort,
      isPortWritten: to.port !== null || where.isPortWritten,
    },
    from:
      values.tree === undefined
        ? { kind: 'server', serverRoot: values.root ?? null, configFile: values.file ?? null }
        : { kind: 'tree', folder: values.tree, allowOverride: values['allow-override'] ?? TREE_OVERRIDE },
    defines: values.define ?? [],
    before: values.before ?? [],
    after: values.after ?? [],
    output: values.json === true ? 'json' : 'text',
    line,
    reach: values.offline === true ? 'offline' : 'online',
    phases: values.trace === true ? 'all' : 'none',
    colour: color,
  }
}

function readLogOption(access: string | undefined, error: string | undefined): ExplainRequest['line'] | UsageError {
  if (access !== undefined && error !== undefined) return { complaint: '--log or --error, not both' }
  if (access !== undefined) return { kind: 'access', text: access }
  return error === undefined ? null : { kind: 'error', text: error }
}

/** What the command line says of the TLS connection. */
export interface ExplainedTls {
  /** SNI; '' for none, null for the host of the URL. */
  readonly serverName: string | null
  readonly version: 'TLSv1.2' | 'TLSv1.3' | null
  readonly ciphers: string | null
  readonly certificateFile: string | null
  /** Null: the file of the certificate. */
  readonly keyFile: string | null
}

interface TlsValues {
  readonly sni?: string
  readonly tls?: string
  readonly ciphers?: string
  readonly 'client-cert'?: string
  readonly 'client-key'?: string
}

const VERSIONS = { '1.2': 'TLSv1.2', '1.3': 'TLSv1.3' } as const

function readTls(values: TlsValues): ExplainedTls | UsageError {
  const { sni = null, tls, ciphers = null } = values
  if (tls !== undefined && tls !== '1.2' && tls !== '1.3') return { complaint: `--tls takes 1.2 or 1.3, not ${tls}` }
  const certificateFile = values['client-cert'] ?? null
  const keyFile = values['client-key'] ?? null
  if (keyFile !== null && certificateFile === null) return { complaint: '--client-key needs --client-cert' }
  return { serverName: sni, version: tls === undefined ? null : VERSIONS[tls], ciphers, certificateFile, keyFile }
}

function hasTlsOption(values: TlsValues): boolean {
  return (['sni', 'tls', 'ciphers', 'client-cert'] as const).some((name) => values[name] !== undefined)
}

function readUser(text: string): Question['credentials'] {
  const colon = text.indexOf(':')
  return colon < 0 ? { user: text, password: null } : { user: text.slice(0, colon), password: text.slice(colon + 1) }
}

function readHeader(text: string): readonly [string, string] | null {
  const parsed = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*)$/.exec(text)
  return parsed === null ? null : [parsed[1], parsed[2]]
}

function readAddress(text: string | undefined): { readonly address: string | null; readonly port: number | null } | null {
  if (text === undefined) return { address: null, port: null }
  const parsed = /^(?:\[([^\]]+)\]|([^:[\]]*))(?::(\d+))?$/.exec(text)
  if (parsed === null) return null
  const address = parsed[1] ?? parsed[2]
  if (address !== '' && isIP(address) === 0) return null
  return { address: address === '' ? null : address, port: parsed[3] === undefined ? null : Number(parsed[3]) }
}

export const EXPLAIN_USAGE: string = `Usage: gatewright explain [OPTION]... URL
       gatewright explain [OPTION]... --log LINE | --error LINE

Explains an answer: which virtual host gives it and why, which lines changed the request, what generates the response, and why access is
granted or denied. The server's own code decides; nothing is served, no program or backend is asked, and no log is written.
Directories and databases are asked as for a request, but nothing is changed in them.
URL is /path, or http://host/path or https://host/path to choose a virtual host.

Source of the rules:
  -d, --root DIR           ServerRoot
  -f, --file FILE          configuration file
  -D, --define NAME        as httpd -D; also -C and -c LINE, read before and after the file
      --tree DIR           a document root with .htaccess files instead of a configuration
      --allow-override W   directives allowed in the files of --tree (default: ${TREE_OVERRIDE})

A line of a log instead of a URL:
      --log LINE           of an access log, read by the LogFormats of the configuration
      --error LINE         of an error log

The request:
  -X, --method METHOD      default GET
      --from ADDRESS       the client's address (default 127.0.0.1)
  -u, --user NAME[:PASS]   credentials; without a password, the correct one is assumed
  -H, --header 'N: V'      a header field; can be repeated
      --to ADDRESS:PORT    where the client connects (default port: that of the URL, or of Listen)

What other servers know:
      --offline            ask no directory, database, authorizer: show what they would be asked

The TLS connection of https:// URLs:
      --client-cert FILE   the client's certificate, those of its issuers, and its key: PEM
      --client-key FILE    the key, if it is in another file
      --sni NAME           the name in the handshake (default: that of the URL; '' for none)
      --tls VERSION        1.2 or 1.3 (default: the newest that the server accepts)
      --ciphers LIST       cipher suites that the client offers, by OpenSSL's names

Output:
      --trace              also show every phase in which a module acted
      --json               print JSON
      --color WHEN         auto, always or never

The exit status is 0 if there is an explanation, 1 if the configuration does not load, 2 if the command line is wrong.`
