import type { DirectiveTable, SetResult } from '@gatewright/api'
import type { MutableCoreDirectory } from '../directory-config.ts'
import type { CoreServerConfig } from '../server-config.ts'

/** A part of core's directive table. */
export type CoreTable = DirectiveTable<MutableCoreDirectory, CoreServerConfig>

export const ANYWHERE: readonly ['server', 'virtualhost', 'directory', 'htaccess'] = [
  'server',
  'virtualhost',
  'directory',
  'htaccess',
]
export const SERVERS: readonly ['server', 'virtualhost'] = ['server', 'virtualhost']
export const GLOBAL: readonly ['server'] = ['server']
export const CONF_FILES: readonly ['server', 'virtualhost', 'directory'] = ['server', 'virtualhost', 'directory']

/** C's atoi: leading blanks, a sign, digits; anything else is 0. */
export function atoi(text: string): number {
  const match = /^\s*([+-]?\d+)/.exec(text)
  return match === null ? 0 : Number(match[1])
}

/** Finds a keyword without regard to case, or says what is wrong. */
export function keyword<W extends string>(
  text: string,
  words: readonly W[],
  error: string,
): { readonly word: W } | { readonly error: string } {
  const word = words.find((one) => one === text.toLowerCase())
  return word === undefined ? { error } : { word }
}

/** Accepted for compatibility; it has no effect here. */
export const accepted = (): SetResult => undefined
