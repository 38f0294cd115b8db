import type { ConfigServices } from '@gatewright/api'

/** Items of this module. */
const OWN: ReadonlySet<string> = new Set([...'aAbBCDefhHiklLmnopPqrRstTuUvVX', '^ti', '^to'])

/** Items that other modules add, with the module's name. */
const ADDED: ReadonlyMap<string, string> = new Map([
  ['I', 'logio_module'],
  ['O', 'logio_module'],
  ['S', 'logio_module'],
  ['^FB', 'logio_module'],
  ['x', 'ssl_module'],
  ['c', 'ssl_module'],
])

/**
 * Whether a format may use a letter. Called while the configuration is read, before any module has registered
 * its items; names that begin with `^` are therefore accepted, and checked afterwards.
 */
export function isKnownLetter(letter: string, services: Pick<ConfigServices, 'moduleLoaded'>): boolean {
  if (OWN.has(letter)) return true
  const module = ADDED.get(letter)
  return module === undefined ? letter.length === 3 : services.moduleLoaded(module)
}
