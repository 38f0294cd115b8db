import type {
  AnyDirective,
  Command,
  CommandError,
  DirectiveKind,
  DirectoryDirective,
  Problem,
  ServerDirective,
  SetResult,
  Setters,
} from '@gatewright/api'
import { nextWord, splitWords } from '@gatewright/config'
import { helpOf } from '../base/directive-help.ts'

/**
 * The error of each kind for a wrong number of words; `, HELP` is appended if the directive has a help text.
 */
const COUNT_ERRORS: Readonly<Partial<Record<DirectiveKind, string>>> = {
  take1: 'takes one argument',
  take2: 'takes two arguments',
  take12: 'takes 1-2 arguments',
  take3: 'takes three arguments',
  take23: 'takes two or three arguments',
  take123: 'takes one, two or three arguments',
  take13: 'takes one or three arguments',
  iterate: 'requires at least one argument',
  iterate2: 'requires at least two arguments',
}

/** Maximum number of words for a directive of kind argv; further ones are dropped, as in httpd. */
const MAX_ARGV = 64

/**
 * Checks the words of a line against the directive's kind and calls its setter.
 * @param name the declared spelling, for messages
 * @param config the configuration object of the directive's module and scope
 */
export function applyDirective(spec: AnyDirective, name: string, config: unknown, text: string, command: Command): SetResult {
  // A module's rows receive only objects made by the module's own `create`.
  const own = config as never
  const wrongCount = (): string => {
    const help = helpOf(spec)
    return `${name} ${COUNT_ERRORS[spec.kind]}${help === undefined ? '' : `, ${help}`}`
  }
  switch (spec.kind) {
    case 'noArgs':
      if (text !== '') return `${name} takes no arguments`
      return setter(spec)(own, command)
    case 'raw':
    case 'section':
      return setter(spec)(own, text, command)
    case 'condition':
    case 'definition':
      return undefined
    case 'argv':
      return setter(spec)(own, splitWords(text).slice(0, MAX_ARGV), command)
    case 'flag': {
      const { word } = nextWord(text)
      const on = word.toLowerCase() === 'on'
      if (!on && word.toLowerCase() !== 'off') return `${name} must be On or Off`
      return setter(spec)(own, on, command)
    }
    case 'iterate': {
      const words = splitWords(text)
      if (words.length === 0 || words[0] === '') return wrongCount()
      for (const word of words) {
        // An empty word counts as the end of the line.
        if (word === '') break
        const error = setter(spec)(own, word, command)
        if (error !== undefined) return error
      }
      return undefined
    }
    case 'iterate2': {
      const [first, ...others] = splitWords(text)
      if (first === undefined || first === '' || others.length === 0) return wrongCount()
      for (const word of others) {
        if (word === '') break
        const error = setter(spec)(own, first, word, command)
        if (error !== undefined) return error
      }
      return undefined
    }
    default:
      return applyCounted(spec, own, text, command, wrongCount)
  }
}

type CountedKind = 'take1' | 'take2' | 'take12' | 'take3' | 'take23' | 'take123' | 'take13'

/**
 * Applies the kinds with a fixed number of words. An empty quoted word counts as missing if a word is
 * required.
 */
function applyCounted(
  spec: Extract<AnyDirective, { kind: CountedKind }>,
  config: never,
  text: string,
  command: Command,
  wrongCount: () => string,
): SetResult {
  const words = splitWords(text)
  const count = words.length
  const [first, second, third] = words
  switch (spec.kind) {
    case 'take1':
      if (count !== 1 || first === '') return wrongCount()
      return setter(spec)(config, first, command)
    case 'take2':
      if (count !== 2 || first === '' || second === '') return wrongCount()
      return setter(spec)(config, first, second, command)
    case 'take12':
      if (count < 1 || count > 2 || first === '') return wrongCount()
      return setter(spec)(config, first, second === '' ? undefined : second, command)
    case 'take3':
      if (count !== 3 || words.includes('')) return wrongCount()
      return setter(spec)(config, first, second, third, command)
    case 'take23':
      if (count < 2 || count > 3 || first === '' || second === '') return wrongCount()
      return setter(spec)(config, first, second, third, command)
    case 'take123':
      if (count < 1 || count > 3 || first === '') return wrongCount()
      return setter(spec)(config, first, second, third, command)
    case 'take13':
      if ((count !== 1 && count !== 3) || first === '') return wrongCount()
      return setter(spec)(config, first, second, third, command)
  }
}

function setter<K extends DirectiveKind>(spec: DirectoryDirective<never, K> | ServerDirective<never, K>): Setters<never>[K] {
  return spec.scope === 'directory' ? spec.setDirectory : spec.setServer
}

/** Whether a setter's result is the error of a nested line and not its own failure. */
export function isNestedError(result: string | Problem | CommandError): result is CommandError {
  return typeof result !== 'string' && 'file' in result
}
