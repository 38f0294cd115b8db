import { DECLINED, OK, type Outcome, type Overlay, type Request } from '@gatewright/api'
import type { ProxySection, ServerConfig } from './config.ts'

/** Merges the `<Proxy>` sections of a request that is passed on, in the place of folders and files. */
export function mergeProxySections(request: Request, { sections }: Readonly<ServerConfig>): Outcome {
  if (request.proxyRequest === null || !request.filename.startsWith('proxy:')) return DECLINED
  const found: Overlay[] = []
  // The sections do not see the query, with which a client could choose among them.
  const url = withoutQuery(request)
  for (const section of sections) if (applies(section, url, request)) found.push(section.section)
  request.mergeSections(found)
  return OK
}

function withoutQuery({ filename, proxyRequest }: Request): string {
  const url = filename.slice(6)
  const question = proxyRequest === 'forward' ? url.indexOf('?') : -1
  return question < 0 ? url : url.slice(0, question)
}

function applies({ prefix, wildcard, pattern }: ProxySection, url: string, request: Request): boolean {
  if (wildcard !== null) return wildcard.matches(url)
  if (pattern === null) return url.startsWith(prefix)
  if (pattern.names.size === 0) return pattern.test(url)
  const groups = pattern.namedGroups(url)
  if (groups === null) return false
  for (const [name, text] of groups) request.env.set(`MATCH_${name.toUpperCase()}`, text)
  return true
}
