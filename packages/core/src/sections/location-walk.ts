import { mergeSlashes } from '../base/uri-path.ts'
import type { MergedConfig } from '../model/merged-config.ts'
import type { RequestRecord } from '../model/request-record.ts'
import type { Section, SectionMatch } from '../model/section.ts'
import type { ServerRecord } from '../model/server-record.ts'

const NONE: readonly Section[] = []

/** Merges the `<Location>` sections that apply to the request's URI, in file order. */
export function locationWalk(request: RequestRecord, base: MergedConfig): MergedConfig {
  const sections = locationSections(request)
  let chain = base.noSections
  for (let index = 0; index < sections.length; index++) chain = chain.with(sections[index])
  return base.with(chain)
}

/** The matching sections; found once per URI, although a request is walked several times. */
function locationSections(request: RequestRecord): readonly Section[] {
  if (request.locationUri === request.uri) return request.locationSections
  request.locationUri = request.uri
  const all = request.server.core.locationSections
  const name = locationName(request.server, request.uri)
  let found: Section[] | null = null
  for (let index = 0; index < all.length; index++) {
    const section = all[index]
    if (section.match !== null && applies(section.match, request, name)) {
      found ??= []
      found.push(section)
    }
  }
  request.locationSections = found ?? NONE
  return request.locationSections
}

/**
 * The URI with which plain sections are compared; patterns see it unchanged. With MergeSlashes off, its slashes
 * are merged. With MergeSlashes on, a URI has several slashes in a row only if a rewrite made them: plain sections
 * see those too, as in httpd.
 */
export function locationName({ core }: ServerRecord, uri: string): string {
  return core.mergeSlashes === false && uri.startsWith('/') ? mergeSlashes(uri) : uri
}

/** @param path the request's URI as `locationName` returns it */
function applies(match: SectionMatch, request: RequestRecord, path: string): boolean {
  if (match.pattern !== null) return exportGroups(match, request.uri, request)
  if (match.wildcard !== null) return match.wildcard.matches(path)
  const prefix = match.path
  if (!path.startsWith(prefix)) return false
  return prefix.endsWith('/') || path.length === prefix.length || path.charCodeAt(prefix.length) === 47
}

/** Tests a pattern; its named groups become environment variables MATCH_NAME. */
export function exportGroups(match: SectionMatch, subject: string, request: RequestRecord): boolean {
  const { pattern } = match
  if (pattern === null) return false
  if (pattern.names.size === 0) return pattern.test(subject)
  const groups = pattern.namedGroups(subject)
  if (groups === null) return false
  for (const [name, text] of groups) request.env.set(`MATCH_${name.toUpperCase()}`, text)
  return true
}
