import { type Directive, directive, type SetResult } from '@gatewright/api'
import type { ScriptLogSettings } from './script-log.ts'

/** What sections set. */
export interface CgiConfig {
  /** Silence of a script after which it is given up, ms. */
  timeout?: number
}

/** What servers set. */
export type CgiServerConfig = ScriptLogSettings

export function mergeCgiConfig(base: Readonly<CgiConfig>, over: Readonly<CgiConfig>): CgiConfig {
  return { timeout: over.timeout ?? base.timeout }
}

/** As in httpd, a server with a ScriptLog of its own has all settings of its own. */
export function mergeCgiServerConfig(base: Readonly<CgiServerConfig>, over: Readonly<CgiServerConfig>): CgiServerConfig {
  return over.file === undefined ? { ...base } : { ...over }
}

const OF_SERVER = { scope: 'server', context: ['server', 'virtualhost'] } as const

type Row = Directive<CgiConfig, CgiServerConfig>

export const scriptLog: Row = directive.take1<CgiServerConfig>({
  ...OF_SERVER,
  help: 'the name of a log for script debugging info',
  set: (config, path, command) => void (config.file = command.serverRelative(path)),
})
export const scriptLogLength: Row = directive.take1<CgiServerConfig>({
  ...OF_SERVER,
  help: 'the maximum length (in bytes) of the script debug log',
  set: (config, word) => void (config.length = leadingNumber(word)),
})
export const scriptLogBuffer: Row = directive.take1<CgiServerConfig>({
  ...OF_SERVER,
  help: 'the maximum size (in bytes) to record of a POST request',
  set: (config, word) => void (config.buffer = leadingNumber(word)),
})
/** The time limit has a name in each module. */
export const scriptTimeout: Row = directive.take1<CgiConfig>({
  scope: 'directory',
  context: ['server', 'virtualhost', 'directory'],
  help: 'The amount of time to wait between successful reads from the CGI script, in seconds.',
  set: (config, word, command): SetResult => {
    const ms = milliseconds(word)
    if (ms === null) return `${command.name} has wrong format`
    config.timeout = ms
    return undefined
  },
})

/** As atoi: a word that is no number is 0. */
function leadingNumber(word: string): number {
  return Math.max(0, Number(/^\s*[+-]?\d{1,15}/.exec(word)?.[0] ?? 0))
}

const UNITS: Readonly<Record<string, number>> = { '': 1000, s: 1000, sec: 1000, ms: 1, mi: 60_000, min: 60_000, h: 3_600_000 }

/** A number with a unit, as ap_timeout_parameter_parse reads it; null for another text. */
function milliseconds(word: string): number | null {
  const found = /^(\d{1,12})([a-z]*)$/i.exec(word)
  const unit = UNITS[found?.[2].toLowerCase() ?? 'none']
  return found === null || unit === undefined ? null : Number(found[1]) * unit
}
