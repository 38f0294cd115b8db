import { directive, type SetResult } from '@gatewright/api'
import { internals } from '../../config/command-impl.ts'
import type { ProcessConfig } from '../../model/process-config.ts'
import { atoi, type CoreLine, GLOBAL } from './types.ts'

/** The valid range of a number, and the error for other values. */
export interface NumberRule {
  readonly holds: (value: number) => boolean
  readonly error: (text: string) => string
}

export function positive(name: string): NumberRule {
  return { holds: (value) => value > 0, error: () => `${name} must be > 0` }
}

/** The rule for sizes of socket buffers. */
export function bufferSize(name: string): NumberRule {
  return { holds: (value) => value === 0 || value >= 512, error: () => `${name} must be >= 512 bytes, or 0 for system default.` }
}

export function notNegative(name: string): NumberRule {
  return { holds: (value) => value >= 0, error: (text) => `Invalid ${name} value: ${text}` }
}

/** A directive for the whole process with a number as argument; other text counts as 0. */
export function processNumber(help: string, set: (process: ProcessConfig, value: number) => void, rule?: NumberRule): CoreLine {
  return directive.take1({
    scope: 'server',
    context: GLOBAL,
    help,
    set: (_config, text, command): SetResult => {
      const value = atoi(text)
      if (rule !== undefined && !rule.holds(value)) return rule.error(text)
      set(internals(command).context.configuration.process, value)
      return undefined
    },
  })
}

/** Like `processNumber`, for a directive without effect. */
export function ignoredNumber(...row: Parameters<typeof processNumber>): CoreLine {
  return { ...processNumber(...row), effect: 'none' }
}

/** @param least the minimum @param greatest the maximum, as shown in the message */
export function rangeError(text: string, least: number, greatest: string): SetResult {
  const value = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN
  return value >= least && value <= 4_294_967_295
    ? undefined
    : `parameter must be a number between ${least} and ${greatest}: ${text}`
}
