import { type FoundOption, getopt, optionComplaint } from '../getopt.ts'
import { HTDBM_STATUS } from './status.ts'
import { HTDBM_USAGE } from './usage.ts'

/** How a password is stored; `plain` means unchanged. */
export type PasswordForm = 'apr1' | 'bcrypt' | 'crypt' | 'sha' | 'plain'

/** The command line of htdbm. */
export interface HtdbmOptions {
  readonly command: HtdbmCommand
  /** Null with -n */
  readonly database: string | null
  /** '' with -l */
  readonly user: string
  readonly password: PasswordSource
  /** Null without -t */
  readonly comment: string | null
  readonly type: string
  /** -c */
  readonly create: boolean
  readonly form: PasswordForm
  /** -C */
  readonly cost: number | null
}

export type HtdbmCommand = 'store' | 'print' | 'verify' | 'remove' | 'list'

export type PasswordSource = { readonly from: 'prompt' | 'input' } | { readonly from: 'argument'; readonly text: string }

/** An invalid command line. `complaint` is the message to print. */
export interface HtdbmRefusal {
  readonly status: number
  readonly complaint: string
}

/**
 * Parses a command line of htdbm; `warn` receives warnings.
 * @param argv bytes, one character each, without the program's name
 */
export function parseHtdbmOptions(argv: readonly string[], warn: (text: string) => void): HtdbmOptions | HtdbmRefusal {
  const { options, words } = getopt(argv, 'cnmspdBbtxvliT:C:')
  const reading = new Reading(warn)
  for (const option of options) {
    const refusal = reading.take(option)
    if (refusal !== null) return refusal
  }
  return reading.result(words)
}

const FORMS: Readonly<Record<string, PasswordForm>> = { m: 'apr1', B: 'bcrypt', d: 'crypt', s: 'sha', p: 'plain' }
const COMMANDS: Readonly<Record<string, HtdbmCommand>> = { n: 'print', v: 'verify', x: 'remove', l: 'list' }

/** Collects the options of a command line. The last of mutually exclusive options applies. */
class Reading {
  readonly #warn: (text: string) => void
  #command: HtdbmCommand = 'store'
  #form: PasswordForm = 'apr1'
  #source: PasswordSource['from'] = 'prompt'
  #type = 'default'
  #cost: number | null = null
  readonly #flags = new Set<string>()

  constructor(warn: (text: string) => void) {
    this.#warn = warn
  }

  take(option: FoundOption): HtdbmRefusal | null {
    const { letter } = option
    if ('problem' in option) {
      return misused(`${optionComplaint('htdbm', option)}\n`)
    }
    if (letter === 'T') this.#type = option.value
    if (letter === 'C') return this.#takeCost(option.value)
    if (letter === 'b') this.#source = 'argument'
    if (letter === 'i') this.#source = 'input'
    if (letter === 'p') this.#warn('Warning: storing passwords as plain text might just not work on this platform.\n')
    this.#command = COMMANDS[letter] ?? this.#command
    this.#form = FORMS[letter] ?? this.#form
    this.#flags.add(letter)
    return null
  }

  result(words: readonly string[]): HtdbmOptions | HtdbmRefusal {
    const flags = this.#flags
    const wanted = ['database', 'user', 'password', 'comment'].filter((what) => this.#isWanted(what))
    // A look-up requires a database and changes nothing.
    const isPossible = (!flags.has('n') || this.#command === 'print') && (!flags.has('v') || this.#command !== 'remove')
    if (words.length !== wanted.length || !isPossible) return misused('')
    const word = (what: string): string | null => (wanted.includes(what) ? words[wanted.indexOf(what)] : null)
    const text = word('password')
    return {
      command: this.#command,
      database: word('database'),
      user: word('user') ?? '',
      password: this.#source === 'argument' ? { from: 'argument', text: text ?? '' } : { from: this.#source },
      comment: word('comment'),
      type: this.#type,
      create: flags.has('c'),
      form: this.#form,
      cost: this.#cost,
    }
  }

  #isWanted(what: string): boolean {
    switch (what) {
      case 'database':
        return !this.#flags.has('n')
      case 'user':
        return !this.#flags.has('l')
      case 'password':
        return this.#source === 'argument'
      default:
        return this.#flags.has('t')
    }
  }

  #takeCost(value: string): HtdbmRefusal | null {
    if (!/^\s*\+?\d+$/.test(value) || Number(value) === 0) {
      return { status: HTDBM_STATUS.syntax, complaint: 'Error: argument to -C/-r must be a positive integer\n' }
    }
    this.#cost = Number(value)
    return null
  }
}

function misused(complaint: string): HtdbmRefusal {
  return { status: HTDBM_STATUS.syntax, complaint: complaint + HTDBM_USAGE }
}
