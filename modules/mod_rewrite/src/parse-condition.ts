import type { Command } from '@gatewright/api'
import { leadingInteger } from './c-library-text.ts'
import type { FileTest, RewriteCondition, Test } from './condition.ts'
import { readFlags } from './flag-list.ts'
import { lineWords } from './line-words.ts'
import { parseTemplate } from './template.ts'

/** Parses the arguments of a RewriteCond; returns an error text if they are invalid. */
export function parseCondition(text: string, command: Command): RewriteCondition | string {
  const words = lineWords(text)
  if (words === null) return `RewriteCond: bad argument line '${text}'`
  const flags: ConditionFlags = { ignoreCase: false, orNext: false, noVary: false }
  const error = words.flags === null ? undefined : readFlags(words.flags, (name) => setFlag(flags, name))
  if (error !== undefined) return `RewriteCond: ${error}`
  const bang = words.second.startsWith('!')
  const written = bang ? words.second.slice(1) : words.second
  const parsed = words.first.toLowerCase() === 'expr' ? expression(written, flags, command) : test(written, flags, command)
  if (typeof parsed === 'string') return parsed
  if (flags.ignoreCase && !COMPARES_TEXT.has(parsed.test.kind)) {
    flags.ignoreCase = false
    const message = `RewriteCond: NoCase option for non-regex pattern '${written}' is not supported and will be ignored.`
    command.report('warn', 'AH00665', `${message} (${command.file}:${command.line})`)
  }
  return {
    input: parseTemplate(words.first),
    source: words.second,
    test: parsed.test,
    negated: bang !== (parsed.inverted === true),
    ...flags,
  }
}

interface ConditionFlags {
  ignoreCase: boolean
  orNext: boolean
  noVary: boolean
}

interface ParsedTest {
  readonly test: Test
  /** True if the operator negates the test: `-ne`. */
  readonly inverted?: boolean
}

const COMPARES_TEXT: ReadonlySet<Test['kind']> = new Set(['pattern', 'text', 'equal'])

function setFlag(flags: ConditionFlags, name: string): string | undefined {
  switch (name.toLowerCase()) {
    case 'nocase':
    case 'nc':
      flags.ignoreCase = true
      return undefined
    case 'ornext':
    case 'or':
      flags.orNext = true
      return undefined
    case 'novary':
    case 'nv':
      flags.noVary = true
      return undefined
    default:
      return `unknown flag '${name}'`
  }
}

const FILE_TESTS: Readonly<Record<string, FileTest>> = {
  '-d': 'directory',
  '-f': 'file',
  '-s': 'size',
  '-h': 'link',
  '-l': 'link',
  '-L': 'link',
  '-x': 'executable',
}

const NUMBER_TESTS: Readonly<Record<string, (difference: number) => boolean>> = {
  '-lt': (difference) => difference < 0,
  '-le': (difference) => difference <= 0,
  '-eq': (difference) => difference === 0,
  '-ge': (difference) => difference >= 0,
  '-gt': (difference) => difference > 0,
  '-ne': (difference) => difference === 0,
}

function test(written: string, flags: ConditionFlags, command: Command): ParsedTest | string {
  const path = FILE_TESTS[written]
  if (path !== undefined) return { test: { kind: 'path', test: path } }
  if (written === '-F') return { test: { kind: 'servedFile' } }
  if (written === '-U') return { test: { kind: 'servedUrl' } }
  const operator = written.slice(0, 3)
  const compared = NUMBER_TESTS[operator]
  if (compared !== undefined)
    return { test: { kind: 'number', holds: compared, number: leadingInteger(written.slice(3)) }, inverted: operator === '-ne' }
  // A single character is always a pattern.
  const ordered = written.length > 1 ? textTest(written) : null
  if (ordered !== null) return { test: ordered }
  const pattern = command.services.pattern(written, { ignoreCase: flags.ignoreCase })
  if ('error' in pattern) return `RewriteCond: cannot compile regular expression '${written}'`
  return { test: { kind: 'pattern', pattern } }
}

function textTest(written: string): Test | null {
  switch (written[0]) {
    case '>':
      return written[1] === '='
        ? { kind: 'text', holds: (order) => order >= 0, text: written.slice(2) }
        : { kind: 'text', holds: (order) => order > 0, text: written.slice(1) }
    case '<':
      return written[1] === '='
        ? { kind: 'text', holds: (order) => order <= 0, text: written.slice(2) }
        : { kind: 'text', holds: (order) => order < 0, text: written.slice(1) }
    case '=':
      return { kind: 'equal', text: written === '=""' ? '' : written.slice(1) }
    default:
      return null
  }
}

function expression(written: string, { noVary }: ConditionFlags, command: Command): ParsedTest | string {
  const compiled = command.services.condition(written, command, { vary: noVary ? 'untold' : 'told' })
  if (!('error' in compiled)) return { test: { kind: 'expression', expression: compiled } }
  const where = command.inHtaccess ? ' in htaccess context' : ''
  return `RewriteCond: cannot compile expression${where} "${written}" ${compiled.error}`
}
