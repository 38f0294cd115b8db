import type { MaybePromise } from '@gatewright/api'
import type { MergedConfig } from '../model/merged-config.ts'
import type { RequestRecord } from '../model/request-record.ts'
import type { Section } from '../model/section.ts'
import type { SectionChain } from '../model/section-chain.ts'
import { exportGroups } from './location-walk.ts'
import { mergedOver } from './merge-in-turns.ts'

/**
 * Merges the `<Files>` sections whose pattern matches the last component of the file name: the server's
 * first, then nested ones.
 */
export function fileWalk(request: RequestRecord, base: MergedConfig): MaybePromise<MergedConfig> {
  const sections = base.core.fileSections
  if (sections.length === 0) return base
  // Empty for a name that ends in a slash: `<Files "*">` and patterns that match the empty string also apply
  // to folders.
  const name = request.filename.slice(request.filename.lastIndexOf('/') + 1)
  request.walkedFile = name
  return walkFrom(0, base.noSections, { request, base, sections, name })
}

interface Walk {
  readonly request: RequestRecord
  readonly base: MergedConfig
  readonly sections: readonly Section[]
  readonly name: string
}

function walkFrom(first: number, before: SectionChain, walk: Walk): MaybePromise<MergedConfig> {
  const { request, base, sections, name } = walk
  const { work } = request
  let chain = before
  for (let index = first; index < sections.length; index++) {
    const section = sections[index]
    if (work.spend()) {
      const sofar = chain
      return work.pause(section.place).then(() => walkFrom(index, sofar, walk))
    }
    if (applies(section, name, request)) chain = chain.with(section)
  }
  return mergedOver(base, chain, work)
}

function applies({ match }: Section, name: string, request: RequestRecord): boolean {
  if (match === null) return false
  if (match.pattern !== null) return exportGroups(match, name, request)
  return match.wildcard === null ? match.path === name : match.wildcard.matches(name)
}
