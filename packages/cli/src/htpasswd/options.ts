import type { HashableScheme } from '@gatewright/passwd'
import { getopt, optionComplaint, type WrongOption } from '../getopt.ts'
import { Refusal } from '../password/refusal.ts'
import type { ToolConsole } from '../tool-console.ts'
import { TOO_LONG, WRONG_USAGE, WRONG_USER } from './exit-status.ts'
import { USAGE } from './usage.ts'

/** What to do with the user's line. */
export type Action = 'update' | 'create' | 'print' | 'delete' | 'verify'

/** How a password is stored. */
export type Storage = HashableScheme | 'plain'

/** The source of the password; the last of -b and -i applies. */
export type Source = 'prompt' | 'input' | 'argument'

/** The command line of htpasswd. Names and passwords are bytes, one character each. */
export interface HtpasswdOptions {
  readonly action: Action
  readonly storage: Storage
  /** From -C or -r, whichever comes last: both mean the same. */
  readonly strength: number | undefined
  /** '' for `print`. */
  readonly file: string
  readonly user: string
  readonly source: Source
  /** From the command line; '' for other sources. */
  readonly password: string
}

/** Size of the password buffer in bytes; a password must be shorter. */
export const PASSWORD_LIMIT = 256

/** @throws Refusal */
export function parseOptions(argv: readonly string[], console: ToolConsole): HtpasswdOptions {
  const { options, words } = getopt(argv, 'cnmspdBbDi25C:r:v')
  const actions = new Set<Action>()
  let source: Source = 'prompt'
  let storage: Storage = 'apr1'
  let strength: number | undefined
  for (const option of options) {
    const { letter } = option
    if ('problem' in option) throw wrongUsage(option.problem, letter)
    if (letter === 'C' || letter === 'r') strength = parseStrength(option.value)
    if (letter === 'p') console.err('Warning: storing passwords as plain text might just not work on this platform.\n')
    source = SOURCES[letter] ?? source
    storage = STORAGES[letter] ?? storage
    const action = ACTIONS[letter]
    if (action !== undefined) actions.add(action)
  }
  if (actions.size > 1) throw new Refusal('htpasswd: only one of -c -n -v -D may be specified\n', WRONG_USAGE)
  const [action = 'update'] = actions
  return { action, storage, strength, ...parseWords(words, action, source) }
}

const SOURCES: Readonly<Record<string, Source | undefined>> = { b: 'argument', i: 'input' }

const ACTIONS: Readonly<Record<string, Action | undefined>> = { c: 'create', n: 'print', D: 'delete', v: 'verify' }

const STORAGES: Readonly<Record<string, Storage | undefined>> = {
  m: 'apr1',
  s: 'sha',
  B: 'bcrypt',
  '2': 'sha256',
  '5': 'sha512',
  d: 'crypt',
  p: 'plain',
}

const FILE_NAME_LIMIT = 4096
const USER_LIMIT = 256

/** Parses the digits at the start like atoi, but rejects text after them. */
function parseStrength(text: string): number {
  const number = /^\s*\+?\d+$/.test(text) ? Number(text) : 0
  if (number > 0) return number
  throw new Refusal('htpasswd: argument to -C/-r must be a positive integer\n', WRONG_USAGE)
}

function parseWords(
  words: readonly string[],
  action: Action,
  source: Source,
): Pick<HtpasswdOptions, 'file' | 'user' | 'source' | 'password'> {
  const wanted = 1 + Number(action !== 'print') + Number(source === 'argument')
  if (words.length !== wanted) throw new Refusal(USAGE, WRONG_USAGE)
  const [file, name, given] = action === 'print' ? ['', ...words] : words
  if (file.length >= FILE_NAME_LIMIT) throw new Refusal('htpasswd: filename too long\n', TOO_LONG)
  const user = checkedUser(name)
  return { file: nameOfFile(file), user, source, password: given === undefined ? '' : checkedPassword(given) }
}

/** In the form that Node requires. */
function nameOfFile(word: string): string {
  return Buffer.from(word, 'latin1').toString()
}

function checkedUser(user: string): string {
  if (user.length >= USER_LIMIT) throw new Refusal(`htpasswd: username too long (> ${USER_LIMIT - 1})\n`, TOO_LONG)
  if (user.includes(':')) throw new Refusal("htpasswd: username contains illegal character ':'\n", WRONG_USER)
  if (/[\r\n]/.test(user)) {
    throw new Refusal(
      'htpasswd: username contains a line end\n',
      WRONG_USER,
      'each line of the file contains one user: choose a name without line ends',
    )
  }
  return user
}

function checkedPassword(password: string): string {
  if (password.length >= PASSWORD_LIMIT) throw new Refusal(`htpasswd: password too long (> ${PASSWORD_LIMIT})\n`, TOO_LONG)
  return password
}

function wrongUsage(problem: WrongOption['problem'], letter: string): Refusal {
  // Only the form of a long option is checked.
  const complaint = letter === '-' ? '' : `${optionComplaint('htpasswd', { letter, problem })}\n`
  return new Refusal(complaint + USAGE, WRONG_USAGE)
}
