import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DirectiveItem, SectionItem } from '@gatewright/config'
import type { Found, Rule } from '../mistakes/rule.ts'
import type { LintedSite } from '../site/linted-site.ts'
import type { Observation } from '../site/observation.ts'
import { regexSamples } from '../site/regex-samples.ts'
import { questionsForPath } from './questions-for-path.ts'

/** `RewriteRule ... [F]` for one URL of something that has another. */
export const rewriteBanAvoided: Rule = {
  id: 'GW021',
  about: 'a RewriteRule [F] that another URL of the same file or folder bypasses',
  severity: 'error',
  isConfirmed: true,
  async find(site) {
    const found: Found[] = []
    for (const { path, item, parents } of site.files.items()) {
      if (item.kind !== 'directive' || !isBan(item)) continue
      const place = { file: path, line: item.line ?? 0 }
      for (const banned of bannedPaths(site, item, folderOf(site, path, parents)))
        found.push(...(await waysRound(site, banned, place)))
    }
    return found
  },
}

function isBan({ name, words }: DirectiveItem): boolean {
  const flags = /^\[(.*)\]$/.exec(words[2] ?? '')?.[1].split(',') ?? []
  return name.toLowerCase() === 'rewriterule' && flags.some((flag) => /^(?:f|forbidden)$/i.test(flag.trim()))
}

/**
 * The folder that a rule's pattern is relative to; null for URLs of the server, undefined where that is not
 * known.
 */
function folderOf(site: LintedSite, path: string, parents: readonly SectionItem[]): string | null | undefined {
  const section = parents.findLast(({ name }) => !/^(?:if|virtualhost)/i.test(name))
  if (section !== undefined) return section.name.toLowerCase() === 'directory' ? section.words[0] : undefined
  return site.walked.accessFiles.has(path) ? dirname(path) : null
}

/** Files and folders that are there and that the pattern is about. */
function bannedPaths(site: LintedSite, { words: [pattern = ''] }: DirectiveItem, folder: string | null | undefined): string[] {
  if (folder === undefined || pattern.startsWith('!')) return []
  const roots = folder === null ? site.mappings.filter(({ url }) => url === '/').map((mapping) => mapping.folder) : [folder]
  const samples = regexSamples(pattern).map((sample) => sample.replace(/^\/|\/$/g, ''))
  const paths = roots.flatMap((root) =>
    samples.filter((sample) => sample !== '').map((sample) => `${root.replace(/\/$/, '')}/${sample}`),
  )
  return [...new Set(paths)].filter((path) => statSync(Buffer.from(path, 'latin1'), { throwIfNoEntry: false }) !== undefined)
}

/** A URL that is answered, although another URL of the same path is forbidden. */
async function waysRound(site: LintedSite, path: string, place: Found['place']): Promise<Found[]> {
  let banned: string | null = null
  let open: Observation | null = null
  for (const question of questionsForPath(site, path))
    for (const target of [question.target, `${question.target}/`]) {
      // A rule of the server answers before anything is mapped to a file: there is nothing to observe then.
      if ((await site.server.ask({ ...question, target })).response.status === 403) banned ??= target
      const observation = banned === target ? null : await site.ask({ ...question, target })
      if (observation?.status !== 200 || observation.stage.access !== 'granted') continue
      if (plain(observation.stage.filename) === plain(path)) open ??= observation
    }
  if (banned === null || open === null) return []
  return [
    {
      place,
      message: `this forbids ${banned}, but ${open.question.target} leads to the same ${path}`,
      hint: `write Require all denied in <Directory> or <Files>, which applies to ${path} regardless of the URL`,
      shownBy: open,
    },
  ]
}

function plain(filename: string | null): string | undefined {
  return filename?.replace(/\/+$/, '')
}
