import { API_VERSION } from '@gatewright/api'
import { type BoundConfiguration, inspectModule, isModuleOfHttpd } from '@gatewright/core'
import type { GuardedLine } from '../migrate/needed-modules.ts'
import type { DirectiveChange } from '../migrate/upgrade.ts'
import type { UpgradeFinding } from './finding.ts'
import type { RefusedLine } from './refused-line.ts'
import { lineText, type StandingLine, type StandingLines } from './standing-lines.ts'

export interface LoadedModules {
  readonly configuration: BoundConfiguration
  readonly changes: readonly DirectiveChange[]
  /** LoadModule lines of built-in modules. */
  readonly guarded: readonly GuardedLine[]
  readonly refused: readonly RefusedLine[]
  /** The folder of the installation's own modules, or undefined. */
  readonly modulesFolder: string | undefined
}

/**
 * The result for every LoadModule line: whether the module is available, or the server's reason why not. No
 * code of a module is executed.
 */
export function moduleFindings(lines: StandingLines, loaded: LoadedModules): UpgradeFinding[] {
  return lines.named('loadmodule').map((line) => {
    const { file, item } = line
    const at = item.line ?? 1
    const { weight, text, instead, by } = fateOf(line, loaded)
    return { kind: 'module', weight, place: { file, line: at }, subject: lineText(item), text, instead, by }
  })
}

/** Modules of httpd that LoadModule lines name and this server does not provide, each once. */
export function missingModules(
  lines: StandingLines,
  { configuration, modulesFolder }: Pick<LoadedModules, 'configuration' | 'modulesFolder'>,
): string[] {
  const names = lines.named('loadmodule').flatMap(({ item: { words } }) => {
    const [name = '', path = ''] = words
    const short = name.replace(/_module$/, '')
    if (!isModuleOfHttpd(short) || isBuiltInKind(name) || configuration.module(name) !== undefined) return []
    return inspectModule(name, path, configuration.serverRelative(path), modulesFolder).refusal === null ? [] : [`mod_${short}`]
  })
  return [...new Set(names)]
}

/** Modules that this server never loads, because it has their function without them. */
function isBuiltInKind(name: string): boolean {
  return /^(?:mpm_|socache_(?!shmcb))/.test(name)
}

type Fate = Pick<UpgradeFinding, 'weight' | 'text' | 'instead' | 'by'>

function fateOf({ file, item }: StandingLine, { configuration, changes, guarded, refused, modulesFolder }: LoadedModules): Fate {
  const [name = '', path = ''] = item.words
  const change = changes.find((one) => one.item === item)
  if (change !== undefined)
    return { weight: 'must', text: change.text, instead: change.instead === null ? [] : [change.instead], by: 'migrate' }
  const guard = guarded.find((one) => one.file === file && one.line === item.line)
  if (guard !== undefined)
    return {
      weight: 'must',
      text: guard.text,
      instead: [`<IfModule !${guard.guard}>`, lineText(item), '</IfModule>'],
      by: 'migrate',
    }
  const short = name.replace(/_module$/, '')
  if (/^mpm_/.test(name)) return fine('not loaded: this server has a built-in process model')
  if (/^socache_(?!shmcb)/.test(name)) return fine('not loaded: modules of this server manage their own caches')
  const refusal = refused.find((one) => one.file === file && one.line === item.line)
  const module = configuration.module(name)
  if (refusal !== undefined && module?.builtIn === true)
    return { weight: 'must', text: `${refusal.message}: it is part of this server`, instead: [], by: 'hand' }
  const inspected = inspectModule(name, path, configuration.serverRelative(path), modulesFolder)
  if (inspected.refusal !== null) {
    const { message, hint } = inspected.refusal
    // For a module that does not exist anywhere, the searched paths are irrelevant.
    const advice = hint.replace(/;? ?looked for .*$/, '')
    if (isModuleOfHttpd(short)) return { weight: 'must', text: advice, instead: [], by: 'hand' }
    const rebuild = `not a module of httpd: build it for this server from its source with apxs (module API ${API_VERSION})`
    return { weight: 'must', text: `${rebuild}: ${message}${advice === '' ? '' : `; ${advice}`}`, instead: null, by: 'hand' }
  }
  if (modulesFolder !== undefined && inspected.file.startsWith(`${modulesFolder}/`)) return fine('provided by this server')
  return fine(`built for this server: source ${inspected.stamp?.source}, API ${inspected.stamp?.api}; it passes the gate`)
}

function fine(text: string): Fate {
  return { weight: 'know', text, instead: null, by: null }
}
