import type { DocumentItem, SectionItem } from '@gatewright/config'
import type { Found, Rule } from '../mistakes/rule.ts'
import { closesToStrangers } from '../site/closes-to-strangers.ts'
import type { LintedSite } from '../site/linted-site.ts'
import { type Observation, sectionsOf } from '../site/observation.ts'
import { namesIn, questionFor } from '../site/real-files.ts'
import { guardsByModules, guardsOf } from './guards.ts'
import { matchingNames } from './matching-names.ts'

/** A .htaccess file that closes its folder, or files in it, but is not read, or not this part of it. */
export const unreadAccessFile: Rule = {
  id: 'GW003',
  about: 'a .htaccess file whose Deny or Require is not read because of AllowOverride',
  severity: 'error',
  isConfirmed: true,
  async find(site) {
    const found: Found[] = []
    for (const [file, folder] of site.walked.accessFiles) found.push(...(await foundIn(site, file, folder)))
    return found
  },
}

async function foundIn(site: LintedSite, file: string, path: string): Promise<Found[]> {
  const found: Found[] = []
  for (const folder of site.folders.filter((one) => one.path === path)) {
    const names = namesIn(path)
    for (const part of closingParts(site, file, await site.ask(questionFor(folder, NOBODYS)))) {
      const tried = part.files === null ? ['', NOBODYS] : matchingNames(part.files, names).slice(0, 1)
      for (const name of tried) {
        const shownBy = await site.ask(questionFor(folder, name))
        if (shownBy !== null && isPassedOver(shownBy, file)) found.push(findingFor(file, part.line, shownBy))
      }
    }
  }
  return found
}

const NOBODYS = 'gatewright-sample'

/**
 * A part of a file that would close something if it were heeded: the folder, or files of some names in it.
 */
interface ClosingPart {
  readonly line: number
  readonly files: SectionItem | null
}

function closingParts({ server, files }: LintedSite, file: string, observation: Observation | null): ClosingPart[] {
  const section = observation === null ? undefined : sectionsOf(observation).find((one) => one.file === file)
  const holds = section === undefined ? guardsByModules(server) : guardsOf(server, section)
  const items = files.document(file)?.items ?? []
  const first = items.find(({ kind }) => kind === 'directive' || kind === 'section')
  return [
    ...(closesToStrangers(items, holds) ? [{ line: first?.line ?? 1, files: null }] : []),
    ...filesSections(items, holds)
      .filter((one) => closesToStrangers(one.items, holds))
      .map((one) => ({ line: one.line ?? 1, files: one })),
  ]
}

function filesSections(items: readonly DocumentItem[], holds: (guard: SectionItem) => boolean): SectionItem[] {
  return items.flatMap((item): SectionItem[] => {
    if (item.kind !== 'section') return []
    if (/^files(?:match)?$/i.test(item.name)) return [item]
    return /^if/i.test(item.name) && holds(item) ? filesSections(item.items, holds) : []
  })
}

/** True for a granted request whose decision does not depend on the file. */
function isPassedOver({ stage }: Observation, file: string): boolean {
  const isPart = stage.sections.some(
    ({ place, require, hostRules }) => place.file === file && (require !== null || hostRules !== null),
  )
  return stage.access === 'granted' && !isPart
}

function findingFor(file: string, line: number, shownBy: Observation): Found {
  const isRead = sectionsOf(shownBy).some((section) => section.file === file)
  return {
    place: { file, line },
    message: isRead
      ? 'the access rules of this file are ignored: AllowOverride does not allow them here, or their module is missing, and Nonfatal suppresses the error'
      : 'this file is not read, because AllowOverride is None here, so access that it denies is open to strangers',
    hint: 'set AllowOverride AuthConfig Limit for the folder, or move the rules to a <Directory> section of the configuration',
    shownBy,
  }
}
