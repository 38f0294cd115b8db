import { statSync } from 'node:fs'
import type { SetResult } from '@gatewright/api'
import { leadingInteger } from '@gatewright/api/text'
import { missing } from './command-line.ts'
import { DEFAULT_OPTIONS, type FcgidServerConfig, type ProcessOptions } from './config.ts'

/** Names of options in lower case, with their spelling in messages and what they set. */
const OPTIONS: ReadonlyMap<string, readonly [name: string, option: keyof ProcessOptions]> = new Map([
  ['connecttimeout', ['ConnectTimeout', 'connectTimeout']],
  ['idletimeout', ['IdleTimeout', 'idleTimeout']],
  ['iotimeout', ['IOTimeout', 'ioTimeout']],
  ['maxprocesses', ['MaxProcesses', 'maxProcesses']],
  ['maxprocesslifetime', ['MaxProcessLifetime', 'lifetime']],
  ['maxrequestsperprocess', ['MaxRequestsPerProcess', 'maxRequests']],
  ['minprocesses', ['MinProcesses', 'minProcesses']],
])

/** Variables that mod_fcgid keeps for a program. */
const MOST_VARIABLES = 64

/** FcgidCmdOptions: the path of a program, and options that replace those of the server for it. */
export function addCommandOptions(config: FcgidServerConfig, text: string): SetResult {
  const words = wordsOf(text)
  const path = words.shift() ?? ''
  if (path === '') return 'A command must be specified for FcgidCmdOptions'
  try {
    statSync(Buffer.from(path, 'latin1'))
  } catch (error) {
    return missing('Command', path, error)
  }
  if (words.length === 0) return 'At least one option must be specified for FcgidCmdOptions'
  let options = DEFAULT_OPTIONS
  const environment = new Map<string, string>()
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const isVariable = word.toLowerCase() === 'initialenv'
    const [name, option] = isVariable ? ['InitialEnv', null] : (OPTIONS.get(word.toLowerCase()) ?? ['', null])
    if (name === '') return `Invalid option for FcgidCmdOptions: ${word}`
    const value = words.shift() ?? ''
    if (value === '') return `${name} must have an argument`
    if (option !== null) options = { ...options, [option]: leadingInteger(value) }
    else {
      const sign = value.indexOf('=')
      environment.set(sign < 0 ? value : value.slice(0, sign), sign < 0 ? '' : value.slice(sign + 1))
    }
  }
  if (environment.size > MOST_VARIABLES)
    return `FcgidCmdOptions sets ${environment.size} variables of ${path}: ${MOST_VARIABLES} are allowed`
  config.commands = new Map([...config.commands, [path, { options, environment }]])
  return undefined
}

/** The words of a line, as httpd splits it: quotes keep blanks, and a backslash keeps a quote. */
function wordsOf(text: string): string[] {
  const words: string[] = []
  for (const [word] of text.matchAll(/"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|\S+/gs)) {
    const quote = word[0]
    if (quote !== '"' && quote !== "'") words.push(word)
    else words.push(word.slice(1, word.length > 1 && word.endsWith(quote) ? -1 : undefined).replaceAll(/\\(["'\\])/g, '$1'))
  }
  return words
}
