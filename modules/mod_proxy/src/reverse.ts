import type { Request } from '@gatewright/api'
import type { DirectoryConfig, ReverseMapping } from './config.ts'
import { interpolate } from './interpolate.ts'
import { isBalancer } from './workers/balancer.ts'
import type { ServerWorkers } from './workers/server-workers.ts'

/** Maps the fields of a backend's response to what clients know (ProxyPassReverse and its relatives). */
export class ReverseMap {
  readonly #request: Request
  readonly #config: Readonly<DirectoryConfig>
  readonly #workers: readonly ServerWorkers[]

  constructor(request: Request, config: Readonly<DirectoryConfig>, workers: readonly ServerWorkers[]) {
    this.#request = request
    this.#config = config
    this.#workers = workers
  }

  /** A URL in a field, or the same text if no line applies. */
  url(url: string): string {
    if (this.#request.proxyRequest !== 'reverse') return url
    for (const line of this.#config.reverse) {
      const from = this.#text(line, line.from)
      const to = this.#text(line, line.to)
      const mapped = isBalancer(to) ? this.#ofMembers(url, from, to) : mappedPrefix(url, from, to)
      if (mapped !== null) return isUrl(mapped) ? mapped : this.#request.absoluteUrl(mapped)
    }
    return url
  }

  /** The value of a Set-Cookie field. */
  cookie(value: string): string {
    const { cookiePaths, cookieDomains } = this.#config
    const withPath = this.#attribute(value, 'path', cookiePaths, (text, from) => text.startsWith(from))
    return this.#attribute(withPath, 'domain', cookieDomains, (text, from) => text.toLowerCase() === from.toLowerCase())
  }

  #attribute(
    value: string,
    name: string,
    lines: readonly ReverseMapping[],
    applies: (text: string, from: string) => boolean,
  ): string {
    if (lines.length === 0) return value
    const found = lastAttribute(value, name)
    if (found === null) return value
    const { start, end } = found
    const text = value.slice(start, end)
    for (const line of lines) {
      if (applies(text, this.#text(line, line.from))) return value.slice(0, start) + this.#text(line, line.to) + value.slice(end)
    }
    return value
  }

  /** A line for a balancer stands for the URLs of all its members. */
  #ofMembers(url: string, from: string, to: string): string | null {
    const slash = to.indexOf('/', 'balancer://'.length)
    const path = slash < 0 || slash === to.length - 1 ? '' : to.slice(slash)
    for (const { balancers } of this.#workers) {
      for (const { name, members } of balancers) {
        if (!to.toLowerCase().startsWith(name)) continue
        for (const member of members) {
          const start = member.name.endsWith('/') && path !== '' ? member.name.slice(0, -1) : member.name
          if (!startsWith(url, start) || !url.startsWith(path, start.length)) continue
          const rest = url.slice(start.length + path.length)
          return from === '/' && rest.startsWith('/') ? rest : from + rest
        }
      }
    }
    return null
  }

  #text({ interpolates }: ReverseMapping, text: string): string {
    return interpolates && this.#config.interpolates === true ? interpolate(this.#request, text) : text
  }
}

/** Where the value of an attribute of a cookie is. As for clients (RFC 6265, section 5.2), the last one of a name counts. */
function lastAttribute(cookie: string, name: string): { readonly start: number; readonly end: number } | null {
  let found: { readonly start: number; readonly end: number } | null = null
  for (let from = 0; from < cookie.length; ) {
    const semicolon = cookie.indexOf(';', from)
    const end = semicolon < 0 ? cookie.length : semicolon
    const words = /^\s*([^=]*)=/.exec(cookie.slice(from, end))
    if (words !== null && words[1].toLowerCase() === name) found = { start: from + words[0].length, end }
    from = end + 1
  }
  return found
}

/** A line with a path alone applies to that path on any host. */
function mappedPrefix(url: string, from: string, to: string): string | null {
  const part = to.startsWith('/') ? pathOf(url) : url
  return to !== '' && startsWith(part, to) ? from + part.slice(to.length) : null
}

function pathOf(url: string): string {
  const authority = url.indexOf('://')
  const slash = authority < 0 ? -1 : url.indexOf('/', authority + 3)
  return slash < 0 ? url : url.slice(slash)
}

function startsWith(text: string, beginning: string): boolean {
  return text.length >= beginning.length && text.slice(0, beginning.length).toLowerCase() === beginning.toLowerCase()
}

function isUrl(text: string): boolean {
  return /^[A-Za-z0-9+.-]+:\/\//.test(text)
}
