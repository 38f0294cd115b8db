import { availableParallelism } from 'node:os'
import type { ProcessOwner } from '@gatewright/api'
import type { ImportedScript, WsgiServerConfig } from './config.ts'
import { type DaemonGroup, EMBEDDED, type NumberOption } from './daemon-group.ts'
import { findPython } from './python.ts'

/** What the runner knows of a group: see master-source.ts and process-source.ts, which read the names. */
export interface RunnerGroup extends Readonly<Record<NumberOption, number>> {
  readonly name: string
  readonly python: string
  readonly flags: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly multiprocess: boolean
  readonly 'display-name': string | null
  readonly identity: {
    readonly user: string | null
    readonly group: string | null
    readonly 'supplementary-groups': readonly string[] | null
  }
  readonly umask: number | null
  readonly home: string | null
  readonly chroot: string | null
  readonly 'python-path': readonly string[]
  readonly lang: string | null
  readonly locale: string | null
  readonly 'restrict-signal': boolean
  /** Application groups whose processes start with the server. */
  readonly applications: readonly string[]
  readonly imports: readonly (readonly [applicationGroup: string, script: string])[]
}

/** What the runner reads when it starts. */
export interface RunnerConfig {
  readonly folder: string
  /** User and Group, for the sockets that the workers connect to. */
  readonly user: string | null
  readonly group: string | null
  readonly supervisor: number
  readonly groups: readonly RunnerGroup[]
}

/** Threads of a process of the group without name, as many as a process of httpd has. */
const EMBEDDED_THREADS = 25

/** What all groups have in common. */
export interface CommonSettings {
  readonly main: Readonly<WsgiServerConfig>
  readonly owner: ProcessOwner | null
  readonly imports: readonly ImportedScript[]
}

/** The group of applications without process group: one process for each processor, as the server itself has. */
export function embeddedGroup(group: DaemonGroup): DaemonGroup {
  const processes = availableParallelism()
  return { ...group, numbers: { ...group.numbers, processes, threads: EMBEDDED_THREADS }, multiprocess: true }
}

/** What the runner knows of a group, or the text of what is missing. */
export function runnerGroup(group: DaemonGroup, { main, owner, imports }: CommonSettings): RunnerGroup | string {
  const isEmbedded = group.name === EMBEDDED
  const pythonHome = group.pythonHome ?? main.pythonHome ?? null
  const python = findPython(pythonHome)
  if (python === null)
    return pythonHome === null
      ? 'no python3 was found in PATH, /usr/bin and /usr/local/bin'
      : `there is no program ${pythonHome}/bin/python3`
  const scripts = imports.filter(({ processGroup }) => processGroup === group.name)
  const user = group.user ?? set(owner?.user)
  return {
    ...group.numbers,
    name: group.name,
    python,
    flags: flagsOf(main),
    environment: environmentOf(group, main),
    multiprocess: group.multiprocess,
    'display-name': group.displayName,
    identity: {
      user,
      // Without the option group, a user of the group's own has the group that the system knows for it.
      group: group.group ?? (group.user === null ? set(owner?.group) : null),
      'supplementary-groups': group.supplementaryGroups,
    },
    umask: group.umask,
    home: group.home,
    chroot: group.chroot,
    'python-path': isEmbedded ? (main.pythonPath ?? []) : group.pythonPath,
    lang: group.lang,
    locale: group.locale,
    'restrict-signal': main.restrictSignal !== false,
    applications: [...new Set([...(isEmbedded ? [] : ['']), ...scripts.map(({ applicationGroup }) => applicationGroup)])],
    imports: scripts.map(({ applicationGroup, script }) => [applicationGroup, script] as const),
  }
}

function flagsOf(main: Readonly<WsgiServerConfig>): string[] {
  const flags: string[] = []
  const level = main.pythonOptimize ?? 0
  if (level > 0) flags.push(`-${'O'.repeat(level)}`)
  if (main.dontWriteBytecode === true) flags.push('-B')
  for (const warning of main.pythonWarnings) flags.push('-W', warning)
  return flags
}

function environmentOf(group: DaemonGroup, main: Readonly<WsgiServerConfig>): Record<string, string> {
  const environment: Record<string, string> = {}
  const eggs = group.pythonEggs ?? (group.name === EMBEDDED ? main.pythonEggs : undefined)
  if (eggs !== undefined) environment.PYTHON_EGG_CACHE = eggs
  if (main.pythonHashSeed !== undefined) environment.PYTHONHASHSEED = main.pythonHashSeed
  if (group.lang !== null) environment.LANG = group.lang
  if (group.locale !== null) environment.LC_ALL = group.locale
  return environment
}

function set(name: string | undefined): string | null {
  return name === undefined || name === '#-1' ? null : name
}
