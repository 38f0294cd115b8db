import { FILTER_RANK } from '@gatewright/api'
import { leadingInteger } from '@gatewright/api/text'

/** What an ExtFilterDefine line defines. */
export interface DefinedFilter {
  readonly name: string
  mode: 'input' | 'output'
  rank: number
  /** The program with its arguments. */
  command: readonly string[]
  /** In lower case; null for all types. */
  inType: string | null
  outType: string | null
  preservesLength: boolean
  enabledBy: string | null
  disabledBy: string | null
}

/** Parses the text of an ExtFilterDefine line. @returns the message about a mistake */
export function parseDefinition(text: string): DefinedFilter | string {
  const [, name, rest] = /^(\S*)\s*(.*)$/s.exec(text) ?? ['', '', '']
  const defined: DefinedFilter = {
    name: name.toLowerCase(),
    mode: 'output',
    rank: FILTER_RANK.resource,
    command: [],
    inType: null,
    outType: null,
    preservesLength: false,
    enabledBy: null,
    disabledBy: null,
  }
  let left = rest
  while (left !== '') {
    const command = /^cmd=/i.exec(left)
    const read = command === null ? readParameter(defined, left) : readCommand(defined, left.slice(command[0].length))
    if (typeof read !== 'object') return read
    left = read.left.trimStart()
  }
  return defined
}

interface Read {
  readonly left: string
}

function readCommand(defined: DefinedFilter, text: string): Read | string {
  let command: string
  let left: string
  if (text.startsWith('"')) {
    const quoted = /^"((?:[^"\\]|\\.)*)"(.*)$/s.exec(text)
    if (quoted === null) return 'Expected cmd= delimiter'
    command = quoted[1].replaceAll('\\"', '"')
    left = quoted[2]
  } else {
    const end = text.search(/\s/)
    command = end < 0 ? text : text.slice(0, end)
    left = end < 0 ? '' : text.slice(end)
  }
  defined.command = splitCommand(command)
  return { left }
}

function readParameter(defined: DefinedFilter, text: string): Read | string {
  const end = text.search(/\s/)
  const word = end < 0 ? text : text.slice(0, end)
  const left = end < 0 ? '' : text.slice(end)
  const equals = word.indexOf('=')
  const key = (equals < 0 ? word : word.slice(0, equals)).toLowerCase()
  const value = equals < 0 ? '' : word.slice(equals + 1)
  if (key === 'preservescontentlength') {
    if (equals >= 0) return `mangled argument \`${word}'`
    defined.preservesLength = true
    return { left }
  }
  if (equals < 0) return `Unexpected parameter: \`${word}'`
  switch (key) {
    case 'mode':
      if (value !== 'input' && value !== 'output') return `Invalid mode: \`${value}'`
      defined.mode = value
      break
    case 'ftype':
      defined.rank = leadingInteger(value)
      break
    case 'enableenv':
      defined.enabledBy = value
      break
    case 'disableenv':
      defined.disabledBy = value
      break
    case 'intype':
      defined.inType = value === '*/*' ? null : value.toLowerCase()
      break
    case 'outtype':
      defined.outType = value
      break
    default:
      return `Unexpected parameter: \`${word}'`
  }
  return { left }
}

/** Splits a command into words as APR does: quotes join, and a backslash makes the next quote, backslash or blank ordinary. */
function splitCommand(command: string): string[] {
  const words: string[] = []
  for (const [, double, single, plain] of command.matchAll(/"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|((?:[^\s\\]|\\.)+)/gs)) {
    words.push((double ?? single ?? plain).replaceAll(/\\(["'\\\s])/g, '$1'))
  }
  return words
}
