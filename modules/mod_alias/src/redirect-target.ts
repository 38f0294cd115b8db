import { escapeUriPath } from '@gatewright/api/text'

/** Whether a text begins with a scheme and a colon. */
export function isUrl(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x3a) return i > 0
    if (!isSchemeCharacter(code)) return false
  }
  return false
}

/**
 * Escapes a target that was composed from a decoded URL: scheme, host and path are escaped, query and
 * fragment are unchanged, and the default port of http and https is omitted. Brackets of an IPv6 address are
 * not escaped (httpd escapes them, which makes the URL unusable).
 */
export function escapeTarget(target: string): string {
  const end = target.search(/[?#]/)
  const front = end < 0 ? target : target.slice(0, end)
  const tail = end < 0 ? '' : target.slice(end)
  const authority = AUTHORITY.exec(front)
  if (authority === null) return escapeUriPath(front) + tail
  const host = withoutDefaultPort(authority[1], authority[2])
  return `${authority[1]}//${host}${escapeUriPath(front.slice(authority[0].length))}${tail}`
}

/** A line break copied from the URL must not begin a new header. */
export function hasControlCharacter(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 0x20 || code === 0x7f) return true
  }
  return false
}

const AUTHORITY = /^([A-Za-z][A-Za-z0-9+.-]*:)\/\/((?:[A-Za-z0-9$\-_.+!*'(),:;@&=~]|\[[0-9A-Fa-f:.]*\])*)(?=\/|$)/

function withoutDefaultPort(scheme: string, host: string): string {
  switch (scheme.toLowerCase()) {
    case 'http:':
      return host.replace(/:80$/, '')
    case 'https:':
      return host.replace(/:443$/, '')
    default:
      return host
  }
}

function isSchemeCharacter(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x2b ||
    code === 0x2d ||
    code === 0x2e
  )
}
