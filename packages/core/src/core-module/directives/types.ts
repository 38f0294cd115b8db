import type { Command, Directive, DirectiveTable, SetResult } from '@gatewright/api'
import type { MutableCoreDirectory } from '../../model/directory-config.ts'
import type { CoreServerConfig } from '../../model/server-config.ts'

/** A part of core's directive table. */
export type CoreTable = DirectiveTable<MutableCoreDirectory, CoreServerConfig>

/** A row of it for single lines. */
export type CoreLine = Directive<MutableCoreDirectory, CoreServerConfig>

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

/** The `set` of a directive whose argument is one of a few words, in any case; other words are an error. */
export function oneOf<C, W extends string>(
  words: readonly W[],
  error: string,
  store: (config: C, word: W, command: Command) => void,
): (config: C, text: string, command: Command) => SetResult {
  return (config, text, command) => {
    const word = words.find((one) => one === text.toLowerCase())
    if (word === undefined) return error
    store(config, word, command)
    return undefined
  }
}

/** Accepted for compatibility; it has no effect here. */
export const accepted = (): SetResult => undefined
