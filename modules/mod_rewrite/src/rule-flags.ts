import { leadingInteger } from './c-library-text.ts'
import type { ReferenceEscaping } from './escape-reference.ts'
import type { RewriteRule } from './rule.ts'
import { parseTemplate, type Template } from './template.ts'

/** Flags of a rule, collected while they are read. */
export interface RuleFlags {
  ignoreCase: boolean
  status: number
  answer: RewriteRule['answer']
  proxy: boolean
  passThrough: boolean
  last: boolean
  end: boolean
  chain: boolean
  rounds: number | null
  skip: number
  noSubrequest: boolean
  noEscape: boolean
  discardPathInfo: boolean
  queryDiscarded: boolean
  queryAppended: boolean
  queryLast: boolean
  environment: Template[]
  cookies: Template[]
  type: Template | null
  handler: Template | null
  escapes: boolean
  escapesControls: boolean
  escapeList: string
  escapeKept: string
  escapeBlank: '+' | '%20'
  unsafeQuestionMark: boolean
  unsafePrefix: boolean
  keepSlashes: boolean
}

/** Rounds of a rule whose flag N has no number. */
const STANDARD_ROUNDS = 10_000

export function newRuleFlags(): RuleFlags {
  return {
    ignoreCase: false,
    status: 302,
    answer: 'none',
    proxy: false,
    passThrough: false,
    last: false,
    end: false,
    chain: false,
    rounds: null,
    skip: 0,
    noSubrequest: false,
    noEscape: false,
    discardPathInfo: false,
    queryDiscarded: false,
    queryAppended: false,
    queryLast: false,
    environment: [],
    cookies: [],
    type: null,
    handler: null,
    escapes: false,
    escapesControls: false,
    escapeList: '',
    escapeKept: '',
    escapeBlank: '+',
    unsafeQuestionMark: false,
    unsafePrefix: false,
    keepSlashes: false,
  }
}

/**
 * Applies one flag of a rule, given by its short or long name in any case; returns an error text if the name
 * is unknown.
 */
export function setRuleFlag(flags: RuleFlags, name: string, value: string): string | undefined {
  const set = FLAGS.get(name.toLowerCase())
  return set === undefined ? `unknown flag '${name}'` : set(flags, value)
}

/** How references are escaped, once all flags are known; null if they are not. */
export function escapingOf(flags: RuleFlags): ReferenceEscaping | null {
  if (!flags.escapes) return null
  const chosen = flags.escapeList !== '' || flags.escapesControls
  return {
    escaped: chosen ? { listed: new Set(flags.escapeList), controls: flags.escapesControls } : 'all',
    kept: new Set(flags.escapeKept),
    blank: flags.escapeBlank,
  }
}

type FlagSetter = (flags: RuleFlags, value: string) => string | undefined

function toggle(set: (flags: RuleFlags) => void): FlagSetter {
  return (flags) => {
    set(flags)
    return undefined
  }
}

const SETTERS: readonly (readonly [names: readonly string[], set: FlagSetter])[] = [
  [
    ['b', 'backrefescaping'],
    (flags, value) => {
      flags.escapes = true
      if (value !== '') flags.escapeList = value
      return undefined
    },
  ],
  [['bnp', 'backrefernoplus'], toggle((flags) => void (flags.escapeBlank = '%20'))],
  [
    ['bctls'],
    toggle((flags) => {
      flags.escapes = true
      flags.escapesControls = true
    }),
  ],
  [
    ['bne'],
    (flags, value) => {
      if (value === '') return "flag 'BNE' wants a list of characters (i.e. [BNE=...])"
      flags.escapeKept = value
      return undefined
    },
  ],
  [['c', 'chain'], toggle((flags) => void (flags.chain = true))],
  [['co', 'cookie'], (flags, value) => void flags.cookies.push(parseTemplate(value))],
  [['dpi', 'discardpath'], toggle((flags) => void (flags.discardPathInfo = true))],
  [['e', 'env'], (flags, value) => void flags.environment.push(parseTemplate(value))],
  [['end'], toggle((flags) => void (flags.end = true))],
  [['f', 'forbidden'], toggle((flags) => answerWith(flags, 403))],
  [['g', 'gone'], toggle((flags) => answerWith(flags, 410))],
  [['h', 'handler'], (flags, value) => void (flags.handler = parseTemplate(value))],
  [['l', 'last'], toggle((flags) => void (flags.last = true))],
  [['n', 'next'], (flags, value) => void (flags.rounds = value === '' ? STANDARD_ROUNDS : leadingInteger(value))],
  [['nc', 'nocase'], toggle((flags) => void (flags.ignoreCase = true))],
  [['ne', 'noescape'], toggle((flags) => void (flags.noEscape = true))],
  [['ns', 'nosubreq'], toggle((flags) => void (flags.noSubrequest = true))],
  [['p', 'proxy'], toggle((flags) => void (flags.proxy = true))],
  [['pt', 'passthrough'], toggle((flags) => void (flags.passThrough = true))],
  [['qsa', 'qsappend'], toggle((flags) => void (flags.queryAppended = true))],
  [['qsd', 'qsdiscard'], toggle((flags) => void (flags.queryDiscarded = true))],
  [['qsl', 'qslast'], toggle((flags) => void (flags.queryLast = true))],
  [['r', 'redirect'], redirect],
  [['s', 'skip'], (flags, value) => void (flags.skip = leadingInteger(value))],
  [['t', 'type'], (flags, value) => void (flags.type = parseTemplate(value))],
  [['unsafeallow3f'], toggle((flags) => void (flags.unsafeQuestionMark = true))],
  [['unsafeprefixstat'], toggle((flags) => void (flags.unsafePrefix = true))],
  [['unc'], toggle((flags) => void (flags.keepSlashes = true))],
]

const FLAGS: ReadonlyMap<string, FlagSetter> = new Map(SETTERS.flatMap(([names, set]) => names.map((name) => [name, set])))

function answerWith(flags: RuleFlags, status: number): void {
  flags.status = status
  flags.answer = 'status'
}

const STATUS_WORDS: ReadonlyMap<string, number> = new Map([
  ['permanent', 301],
  ['temp', 302],
  ['seeother', 303],
])

/** Statuses for which httpd has a reason phrase. */
const STATUSES: ReadonlySet<number> = new Set([
  100, 101, 102, 103, 200, 201, 202, 203, 204, 205, 206, 207, 208, 226, 300, 301, 302, 303, 304, 305, 307, 308, 400, 401, 402,
  403, 404, 405, 406, 407, 408, 409, 410, 411, 412, 413, 414, 415, 416, 417, 421, 422, 423, 424, 426, 428, 429, 431, 451, 500,
  501, 502, 503, 504, 505, 506, 507, 508, 510, 511,
])

/**
 * Flag R. With a status outside 300 to 399 the response has that status, and nothing is substituted.
 * Sub-requests are never redirected.
 */
function redirect(flags: RuleFlags, value: string): string | undefined {
  // Flags F and G take precedence.
  if (flags.answer === 'none') flags.answer = 'redirect'
  flags.noSubrequest = true
  const word = STATUS_WORDS.get(value.toLowerCase())
  if (word !== undefined) {
    flags.status = word
    return undefined
  }
  if (!/^\d/.test(value)) return undefined
  const status = leadingInteger(value)
  if (!STATUSES.has(status)) return `invalid HTTP response code '${value}' for flag 'R'`
  if (status >= 300 && status <= 399) flags.status = status
  else answerWith(flags, status)
  return undefined
}
