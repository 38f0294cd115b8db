import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DIRECTIVE_HOMES } from '../base/directive-homes.ts'
import { nearestWord } from '../base/nearest-word.ts'
import type { ModuleRegistry } from '../modules/registry.ts'
import { replacementOf, strangerOf } from './gone-directives.ts'

/** The input for advice: the loaded modules, and the folder of available ones, undefined if unknown. */
export interface KnownModules {
  readonly registry: ModuleRegistry
  readonly modulesFolder: string | undefined
}

/**
 * Advice about a name that no loaded module declares: its replacement, its module, or the most similar name.
 */
export function hintForUnknown(name: string, modules: KnownModules): string | undefined {
  const lower = name.toLowerCase()
  const gone = replacementOf(lower)
  if (gone !== undefined) return gone
  const shown = name.replace('<', '')
  const missing = missingModule(lower, modules)
  if (missing !== undefined) return `${shown} belongs to ${missing}`
  const near = nearestWord(lower, [...modules.registry.directiveNames(), ...DIRECTIVE_HOMES.keys()])
  if (near !== undefined) {
    const spelled = modules.registry.directive(near)?.[0].name ?? DIRECTIVE_HOMES.get(near)?.directive ?? near
    const meant = `did you mean ${spelled}${spelled.startsWith('<') ? '>' : ''}?`
    const home = missingModule(near, modules)
    return home === undefined ? meant : `${meant} It belongs to ${home}`
  }
  const stranger = strangerOf(lower)
  return stranger === undefined ? undefined : `${shown} belongs to ${stranger}`
}

/** The module of a directive that is not loaded, and how to load it. */
function missingModule(directive: string, { registry, modulesFolder }: KnownModules): string | undefined {
  const home = DIRECTIVE_HOMES.get(directive)?.module
  if (home === undefined || registry.find(`${home}_module`) !== undefined) return undefined
  if (modulesFolder !== undefined && !existsSync(join(modulesFolder, `mod_${home}.mjs`)))
    return `mod_${home}, which this server does not provide yet: remove the line, or enclose it in <IfModule>`
  return `mod_${home}: LoadModule ${home}_module modules/mod_${home}.so`
}
