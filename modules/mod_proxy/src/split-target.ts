import { isIPv6 } from 'node:net'

/** What the part of a URL after its scheme names. */
export interface Target {
  /** In lower case, without the brackets of an address. */
  readonly host: string
  /** 0 if absent. */
  readonly port: number
  /** Without its first slash. */
  readonly path: string
}

/** Why it names nothing, and the part of it that messages show. */
export interface TargetError {
  readonly error: string
  readonly shown: string
}

/** What configurations name as a rule: a host in lower case and a valid port. */
const PLAIN_AUTHORITY = /^([a-z0-9.-]*[a-z.-][a-z0-9.-]*)(?::([1-9]\d{0,3}))?$/
const CONTROLS = /[\x00-\x20\x7f]/
const BAD_ESCAPE = /%(?![0-9a-f]{2})/i

/** Valid authorities: most requests go to few backends. */
const known = new Map<string, Omit<Target, 'path'>>()
const KNOWN_MAX = 100

function plainAuthority(authority: string): Omit<Target, 'path'> | null {
  const found = known.get(authority)
  if (found !== undefined) return found
  const plain = PLAIN_AUTHORITY.exec(authority)
  if (plain === null) return null
  const target = { host: plain[1], port: plain[2] === undefined ? 0 : Number(plain[2]) }
  if (known.size >= KNOWN_MAX) known.clear()
  known.set(authority, target)
  return target
}

/** Splits `//USER@HOST:PORT/PATH`. The user is dropped. */
export function splitTarget(rest: string): Target | TargetError {
  if (!rest.startsWith('//')) return { error: 'Malformed URL', shown: rest }
  const slash = rest.indexOf('/', 2)
  const authority = slash < 0 ? rest.slice(2) : rest.slice(2, slash)
  const path = slash < 0 ? '' : rest.slice(slash + 1)
  const plain = plainAuthority(authority)
  if (plain !== null) return { host: plain.host, port: plain.port, path }
  const at = authority.lastIndexOf('@')
  const user = at < 0 ? authority : authority.slice(0, at).split(':', 1)[0]
  const failed = (error: string): TargetError => ({ error, shown: `//${user}` })
  if (at >= 0 && BAD_ESCAPE.test(authority.slice(0, at))) {
    return failed(`Bad %-escape in URL (${BAD_ESCAPE.test(user) ? 'username' : 'password'})`)
  }
  const named = splitHost(authority.slice(at + 1).toLowerCase())
  return named === null ? failed('Invalid host/port') : { ...named, path }
}

/**
 * A port is the digits after the last colon. As in httpd, a colon with anything else belongs to the name, which then does
 * not resolve.
 * @returns null for what is no host
 */
function splitHost(text: string): Omit<Target, 'path'> | null {
  const [, name, digits] = /^(.*?)(?::(\d+))?$/s.exec(text) ?? ['', text]
  const port = digits === undefined ? 0 : Number(digits)
  if (digits !== undefined && (port < 1 || port > 65_535)) return null
  if (name.startsWith('[')) {
    const address = name.slice(1, -1)
    return name.endsWith(']') && isIPv6(address) && !address.includes('%') ? { host: address, port } : null
  }
  return name === '' || /^\d+$/.test(name) || CONTROLS.test(name) ? null : { host: name, port }
}
