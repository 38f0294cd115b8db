import { dirname } from 'node:path'
import type { BoundConfiguration } from '@gatewright/core'
import { type MigrateOptions, migrate } from '../migrate/migrate.ts'
import { type Upgrade, upgrade } from '../migrate/upgrade.ts'
import { ConfigFiles } from '../site/config-files.ts'
import { accessFileMistakes } from './access-file-mistakes.ts'
import { accessFindings } from './access-findings.ts'
import { changedDefaults } from './defaults/index.ts'
import { directiveFindings } from './directive-findings.ts'
import type { UpgradeFinding } from './finding.ts'
import { missingModules, moduleFindings } from './module-findings.ts'
import { originOf } from './origin.ts'
import { programFindings } from './program-findings.ts'
import { everyPlace, type RefusedLine } from './refused-line.ts'
import { type Origin, REPORT_FORM, type UpgradeReport } from './report.ts'
import { StandingLines } from './standing-lines.ts'
import { stepsFor } from './steps.ts'

export interface UpgradeReportOptions extends Pick<MigrateOptions, 'texts' | 'accessFolders' | 'open'> {
  /** The path on the command line. */
  readonly subject: string
  /** The main file; for a folder, that of a substitute server. */
  readonly configFile: string
  /** Files that do not exist: they are not reported. */
  readonly madeUp: ReadonlySet<string>
  readonly modulesFolder: string | undefined
  /** null to find out. */
  readonly writtenFor: Origin['line'] | null
  /** The recorded command of configure. */
  readonly options: readonly UpgradeFinding[]
  readonly niceFile: string | null
  readonly unread: readonly string[]
  /** Lines that had to be passed over so far. */
  refused(): readonly RefusedLine[]
}

/**
 * Reports the changes that a configuration needs for 2.4. Writes nothing.
 * @throws ConfigError if it cannot be opened at all
 */
export async function upgradeReport(options: UpgradeReportOptions): Promise<UpgradeReport> {
  const { texts, accessFolders, configFile, madeUp, open } = options
  const files = new ConfigFiles(new Map([...texts].filter(([path]) => !madeUp.has(path))))
  const upgraded = upgrade(files)
  const migration = await migrate({ texts, accessFolders, intent: 'exact', open })
  const server = await open(migration.before)
  await server.close()
  const { configuration } = server
  const lines = new StandingLines(files, configuration, upgraded.originalLine)
  const refused = everyPlace(options.refused(), files, lines, upgraded.originalLine)
  const changed = new Set(upgraded.changes.map(({ file, line }) => `${file}:${line}`))
  const mistakes = accessFileMistakes(server, files).filter(({ file, line }) => !changed.has(`${file}:${line}`))
  const origin: Origin =
    options.writtenFor === null ? originOf(lines, upgraded, knownTo(configuration)) : { line: options.writtenFor, evidence: null }
  const access = accessFindings(files, lines, migration)
  const findings = [
    ...directiveFindings(upgraded, {
      has: knownTo(configuration),
      isRead: (file, item) => lines.has(file, item),
      refused: [...refused, ...mistakes],
    }),
    ...moduleFindings(lines, {
      configuration,
      changes: upgraded.changes,
      guarded: upgraded.guarded,
      refused,
      modulesFolder: options.modulesFolder,
    }),
    ...access,
    ...(madeUp.has(configFile) ? [] : programFindings(configuration)),
    ...(origin.line === '2.4' || madeUp.has(configFile)
      ? []
      : changedDefaults({
          configFile,
          configuration,
          lines,
          files,
          accessFiles: accessFilesOf(texts, configuration, accessFolders),
        })),
    // A configuration for 2.4 implies a server that was built for it.
    ...(origin.line === '2.4' ? options.options.map(settled) : options.options),
  ]
  const compat = { now: access.length > 0, afterMigration: access.some(({ by }) => by === 'hand') }
  const counts = { must: count(findings, 'must'), look: count(findings, 'look'), know: count(findings, 'know') }
  return {
    form: REPORT_FORM,
    subject: options.subject,
    origin,
    verdict: counts.must + counts.look === 0 ? 'ready' : 'needs work',
    missing: missingModules(lines, { configuration, modulesFolder: options.modulesFolder }),
    counts,
    compat,
    steps: stepsFor({
      subject: options.subject,
      isFolder: madeUp.has(configFile),
      findings,
      compat,
      niceFile: options.niceFile,
    }),
    findings,
    files: files.paths,
    unread: options.unread,
  }
}

function settled(finding: UpgradeFinding): UpgradeFinding {
  return { ...finding, weight: 'know', by: null }
}

function knownTo(configuration: BoundConfiguration): (name: string) => boolean {
  return (name) => configuration.modulesOf(name).length > 0
}

function count(findings: readonly UpgradeFinding[], weight: UpgradeFinding['weight']): number {
  return findings.filter((finding) => finding.weight === weight).length
}

function accessFilesOf(texts: Upgrade['texts'], { includes }: BoundConfiguration, accessFolders: readonly string[]): string[] {
  const included = new Set(includes.map(({ path }) => path))
  const folders = new Set(accessFolders)
  return [...texts.keys()].filter((path) => !included.has(path) && folders.has(dirname(path)))
}
