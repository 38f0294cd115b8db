import type { RequestRecord } from '../request/request-record.ts'
import { exportGroups } from './location-walk.ts'
import type { MergedConfig } from './merged-config.ts'

/** Merges the `<Files>` sections whose pattern matches the last component of the file name: the server's first, then nested ones. */
export function fileWalk(request: RequestRecord, base: MergedConfig): MergedConfig {
  const sections = base.core.fileSections
  if (sections.length === 0) return base
  // Empty for a name that ends in a slash: `<Files "*">` and patterns that match nothing apply to folders, too.
  const name = request.filename.slice(request.filename.lastIndexOf('/') + 1)
  request.walkedFile = name
  let chain = base.noSections
  for (let index = 0; index < sections.length; index++) {
    const section = sections[index]
    const match = section.match
    if (match === null) continue
    const applies =
      match.pattern !== null
        ? exportGroups(match, name, request)
        : match.wildcard !== null
          ? match.wildcard.matches(name)
          : match.path === name
    if (applies) chain = chain.with(section)
  }
  return base.with(chain)
}
