import { isDnsName } from './dns-names.ts'

/** What is wrong with an absolute URI, in httpd's words; undefined when nothing is. */
export function uriProblem(text: string): string | undefined {
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1]
  if (/[ \t]/.test(text)) return 'whitespace in uri'
  if (scheme === undefined) return 'missing uri scheme'
  if (scheme.length + 1 >= text.length) return 'missing uri identifier'
  if (scheme.startsWith('http')) return httpProblem(text.slice(scheme.length + 1))
  return scheme === 'mailto' ? mailProblem(text) : undefined
}

/** The same, and it must be http or https. */
export function httpUriProblem(text: string): string | undefined {
  const problem = uriProblem(text)
  if (problem !== undefined) return problem
  return /^https?:/i.test(text) ? undefined : 'uri scheme must be http or https'
}

function httpProblem(rest: string): string | undefined {
  const authority = /^\/\/([^/?#]*)/.exec(rest)?.[1]
  if (authority === undefined) return 'missing hostname'
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  const [, name, port] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/.exec(host) ?? []
  if (port !== undefined && !/^\d*$/.test(port)) return 'not an uri'
  if (port !== undefined && port !== '' && !(Number(port) > 0 && Number(port) <= 65_353)) return 'invalid port'
  return name === undefined || (name !== '' && !isDnsName(name, false)) ? 'invalid hostname' : undefined
}

function mailProblem(text: string): string | undefined {
  const at = text.indexOf('@')
  if (at < 0) return 'missing @'
  if (text.includes('@', at + 1)) return 'duplicate @'
  if (at === 'mailto:'.length) return 'missing local part'
  if (at === text.length - 1) return 'missing hostname'
  return text.includes('..') ? 'double period' : undefined
}

/** A text with a scheme before it, unless it has one. */
export function withScheme(text: string, scheme: string): string {
  return /^[A-Za-z0-9]*:/.test(text) ? text : `${scheme}:${text}`
}
