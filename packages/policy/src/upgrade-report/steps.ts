import type { UpgradeFinding } from './finding.ts'
import type { Compat, Step } from './report.ts'

/** The input for the steps. */
export interface Work {
  /** The path on the command line. */
  readonly subject: string
  readonly isFolder: boolean
  readonly findings: readonly UpgradeFinding[]
  readonly compat: Compat
  /** The config.nice that was read, or null. */
  readonly niceFile: string | null
}

/** A suitable order for the work. */
export function stepsFor({ subject, isFolder, findings, compat, niceFile }: Work): Step[] {
  const path = shellWord(subject)
  const todo = findings.filter(({ weight }) => weight !== 'know')
  if (todo.length === 0) return []
  const some = (test: (finding: UpgradeFinding) => boolean): boolean => todo.some(test)
  const migrates = some(({ by }) => by === 'migrate')
  const steps: (Step | false)[] = [
    niceFile !== null && {
      text: 'Build this server with the options of httpd',
      command: `build/configure --from ${shellWord(niceFile)} && build/install`,
    },
    some(({ kind, by, instead }) => kind === 'module' && by === 'hand' && instead === null) && {
      text: 'Build each third-party module from its sources',
      command: 'apxs -c -i mod_NAME.ts',
    },
    some(isRefused) && { text: `Change manually what does not load: ${placesOf(todo.filter(isRefused))}`, command: null },
    some(({ kind }) => kind === 'default') && {
      text: 'Decide about the changed defaults while the report can still recognize the configuration as an old one',
      command: null,
    },
    some(({ kind }) => kind === 'access') && {
      text: 'Check that the old access rules do what they suggest: after the rewrite, a mistake looks intentional',
      command: `gatewright lint ${path}`,
    },
    migrates && { text: 'Review the rewritten files and the proof', command: `gatewright migrate ${path}` },
    migrates && {
      text: 'Rewrite the files; the old ones are kept',
      command: `gatewright migrate --in-place ${path}`,
    },
    some(({ kind, by }) => kind === 'access' && by === 'hand') && {
      text: 'Rewrite the remaining rules manually, or keep mod_access_compat',
      command: null,
    },
    !isFolder && { text: 'Load it', command: `httpd -t -f ${path}` },
    { text: 'Run this report again', command: `gatewright upgrade-report ${path}` },
    compat.now &&
      !compat.afterMigration && {
        text: 'Remove the LoadModule line of access_compat_module: nothing needs it any longer',
        command: null,
      },
  ]
  return steps.filter((step) => step !== false)
}

function isRefused({ kind, weight, by, instead }: UpgradeFinding): boolean {
  return weight === 'must' && by === 'hand' && (kind === 'directive' || (kind === 'module' && instead !== null))
}

/** Places that a step names at most. */
const MAX_PLACES = 5

function placesOf(findings: readonly UpgradeFinding[]): string {
  const places = findings.map(({ place, subject }) => (place === null ? subject : `${place.file}:${place.line}`))
  const more = places.length - MAX_PLACES
  return `${places.slice(0, MAX_PLACES).join(', ')}${more > 0 ? `, and ${more} more` : ''}`
}

/** A word that a shell does not change. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
