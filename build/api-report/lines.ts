import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compareEntries, compareSurfaces } from './compare.ts'
import { withoutNarrowed } from './narrowed.ts'
import { type ApiReport, formatReport, parseReport } from './report-file.ts'
import { namesExportedBy, surfaceOf } from './surface.ts'
import { judge, type VersionState } from './verdict.ts'

/** A line of the API: a package with its own report. */
export interface ApiLine {
  readonly folder: string
  readonly name: string
  /** Never changes again. */
  readonly frozen: boolean
}

export const LINES: readonly ApiLine[] = [
  { folder: 'packages/api', name: '@gatewright/api', frozen: false },
  { folder: 'packages/api-2.2', name: '@gatewright/api-2.2', frozen: true },
]

export type Verb = 'check' | 'accept'

/** The result of a check or an acceptance, and its messages. */
export interface ReportRun {
  readonly good: boolean
  readonly lines: readonly string[]
}

/**
 * Compares a line of the API with its report, and rewrites the report if the caller accepts the changes and
 * the rules allow it.
 */
export function reportOn(root: string, line: ApiLine, verb: Verb, state: VersionState): ReportRun {
  const { folder, name, frozen } = line
  const file = join(root, folder, 'api-report.md')
  const current = currentReport(join(root, folder), name)
  const accepted = existsSync(file) ? parseReport(readFileSync(file, 'utf8')) : undefined
  const accept = (lines: readonly string[]): ReportRun => {
    writeFileSync(file, formatReport(name, current, frozen ? 'frozen' : 'open'))
    return { good: true, lines: [...lines, `${folder}/api-report.md is written for ${current.version}`] }
  }
  if (accepted === undefined) {
    if (verb === 'accept') return accept([])
    return { good: false, lines: [`${folder}/api-report.md is missing or no report`, 'hint: npm run api:accept writes it'] }
  }
  if (formatReport(name, accepted, 'open') === formatReport(name, current, 'open'))
    return { good: true, lines: [`${name} ${current.version} matches its report`] }
  const ofSurface = withoutNarrowed(compareSurfaces(accepted.surface, current.surface))
  const changes = [...ofSurface, ...compareEntries(accepted.entries, current.entries)]
  const lines = changes.map(({ kind, text }) => (kind === 'breaking' ? `BREAKING ${text}` : text))
  const { fits, advice } = judge(changes, accepted.version, current.version, { frozen, state })
  if (!fits) return { good: false, lines: [...lines, `${name} ${current.version} is refused`, `hint: ${advice}`] }
  if (verb === 'accept') return accept(lines)
  const behind = `${folder}/api-report.md is out of date: it describes ${accepted.version}, the API is ${current.version}`
  return { good: false, lines: [...lines, behind, 'hint: npm run api:accept, then have the difference reviewed'] }
}

function currentReport(folder: string, name: string): ApiReport {
  const version = /API_VERSION = '([\d.]+)'/.exec(readFileSync(join(folder, 'src/version.ts'), 'utf8'))?.[1]
  if (version === undefined) throw new Error(`${folder}/src/version.ts does not set API_VERSION`)
  const entries = Object.entries(entriesOf(folder, name))
  return {
    version,
    surface: surfaceOf(entries.map(([, file]) => file)),
    entries: entries.length === 1 ? {} : Object.fromEntries(entries.map(([entry, file]) => [entry, namesExportedBy(file)])),
  }
}

/** The source file of each entry of a package, by the name in imports: `@gatewright/api/text`. */
export function entriesOf(folder: string, name: string): Readonly<Record<string, string>> {
  const manifest: { exports: Record<string, { 'gatewright-source': string }> } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  )
  return Object.fromEntries(
    Object.entries(manifest.exports).map(([path, { 'gatewright-source': source }]) => [
      `${name}${path.slice('.'.length)}`,
      join(folder, source),
    ]),
  )
}
