import type { AnyDirective, Command, SetResult } from '@gatewright/api'
import { splitWords } from './config-text.ts'

/** Calls a directive's setter with the number of words that its kind takes. */
export function applyDirective(spec: AnyDirective, name: string, config: unknown, text: string, command: Command): SetResult {
  const words = splitWords(text)
  // A module's rows are called only with objects made by its own `create`, and with the words that their
  // kind takes.
  const set = (spec.scope === 'directory' ? spec.setDirectory : spec.setServer) as (config: never, ...rest: never[]) => SetResult
  const call = (...rest: unknown[]): SetResult => set(config as never, ...(rest as never[]), command as never)
  switch (spec.kind) {
    case 'raw':
    case 'section':
      return call(text.trim())
    case 'take1':
      return words.length === 1 && words[0] !== '' ? call(words[0]) : `${name} takes one argument, ${spec.help}`
    case 'take12':
      return words.length === 1 || words.length === 2 ? call(words[0], words[1]) : `${name} takes 1-2 arguments, ${spec.help}`
    case 'flag':
      return /^(on|off)$/i.test(text) ? call(text.toLowerCase() === 'on') : `${name} must be On or Off`
    case 'iterate':
      if (words.length === 0) return `${name} requires at least one argument, ${spec.help}`
      return words.map((word) => call(word)).find((error) => error !== undefined)
    case 'iterate2': {
      const [first, ...others] = words
      if (others.length === 0) return `${name} requires at least two arguments, ${spec.help}`
      return others.map((word) => call(first, word)).find((error) => error !== undefined)
    }
    default:
      throw new Error(`no ${spec.kind} in these tests`)
  }
}
