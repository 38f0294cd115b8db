/** What a question consists of, in the words of AuthRequestFields. */
export const PARTS = ['url', 'method', 'uri', 'host', 'proto', 'client', 'prefix'] as const

/** A part of a question. */
export type Part = (typeof PARTS)[number]

/** For a part that the question has itself: its own method, target or host. */
export const OWN = '-'

/**
 * Where the parts of a question are: names of fields, or {@link OWN}. `url` replaces `uri`, `host` and `proto`. `prefix` is the
 * beginning of a target that does not belong to the original one.
 */
export type FieldNames = Readonly<Partial<Record<Part, string>>>

const FORWARDED: FieldNames = {
  method: 'X-Forwarded-Method',
  proto: 'X-Forwarded-Proto',
  host: 'X-Forwarded-Host',
  uri: 'X-Forwarded-Uri',
  client: 'X-Forwarded-For',
}

/** How each kind of proxy asks. */
export const PROXIES: ReadonlyMap<string, FieldNames> = new Map([
  ['nginx', { url: 'X-Original-URL', method: 'X-Original-Method', client: 'X-Forwarded-For' }],
  ['traefik', FORWARDED],
  ['caddy', FORWARDED],
  ['haproxy', FORWARDED],
  ['envoy', { method: OWN, uri: OWN, host: OWN, proto: 'X-Forwarded-Proto', client: 'X-Forwarded-For' }],
])

/** Fields with which proxies describe a request: the original one did not have them, or had those of its client. */
const DESCRIBING: readonly string[] = [
  'Forwarded',
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'X-Forwarded-Method',
  'X-Forwarded-Port',
  'X-Forwarded-Proto',
  'X-Forwarded-Server',
  'X-Forwarded-Uri',
  'X-Original-Method',
  'X-Original-URI',
  'X-Original-URL',
  'X-Real-IP',
]

/** The names of all fields that a question has in addition to those of the original request. */
export function addedFields(names: FieldNames): readonly string[] {
  const own = PARTS.filter((part) => part !== 'prefix').flatMap((part) => names[part] ?? [])
  return [...DESCRIBING, ...own.filter((name) => name !== OWN)]
}

/**
 * Reads the words of AuthRequestFields.
 * @returns what is wrong with them as a text
 */
export function readFieldNames(words: readonly string[]): FieldNames | string {
  const [proxy = '', ...changes] = words
  const preset = PROXIES.get(proxy.toLowerCase())
  if (preset === undefined) {
    return `AuthRequestFields begins with the kind of proxy, one of ${[...PROXIES.keys()].join(', ')}; not '${proxy}'`
  }
  const names: Partial<Record<Part, string>> = { ...preset }
  for (const change of changes) {
    const equals = change.indexOf('=')
    const part = PARTS.find((one) => one === change.slice(0, Math.max(equals, 0)).toLowerCase())
    const value = change.slice(equals + 1)
    if (part === undefined) return `AuthRequestFields: '${change}' is not one of ${PARTS.map((one) => `${one}=`).join(', ')}`
    const fault = part === 'prefix' ? prefixFault(value) : nameFault(part, value)
    if (fault !== '') return `AuthRequestFields: ${fault}`
    names[part] = value
    // The original URL is in one field or in several: a client could add what the proxy does not replace.
    if (part === 'uri' || part === 'host' || part === 'proto') delete names.url
  }
  if (names.url === undefined) {
    const missing = (['uri', 'host', 'proto'] as const).filter((part) => names[part] === undefined)
    if (missing.length > 0)
      return `AuthRequestFields: without url= also ${missing.map((part) => `${part}=`).join(', ')} is needed`
  } else for (const part of ['uri', 'host', 'proto'] as const) delete names[part]
  if (names.prefix !== undefined && names.uri !== OWN) return `AuthRequestFields: prefix= is for uri=${OWN}`
  return names
}

function nameFault(part: Part, value: string): string {
  if (value === OWN) return part === 'url' || part === 'proto' || part === 'client' ? `${part}=${OWN} has no meaning` : ''
  return /^[!#$%&'*+.^_`|~\w-]+$/.test(value) ? '' : `'${value}' is not the name of a field`
}

function prefixFault(value: string): string {
  return /^(\/[\w.~-]+)+$/.test(value) ? '' : `'${value}' is not a path without a slash at its end, such as /decide`
}
