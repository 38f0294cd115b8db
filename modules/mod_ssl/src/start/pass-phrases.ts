import type { StartContext } from '@gatewright/api'
import type { PassPhraseDialog } from '../settings.ts'
import { firstLineOf, PipedProgram } from './pass-phrase-programs.ts'
import type { StartLog } from './start-log.ts'

/** A key for which a pass phrase is asked. */
export interface KeyInQuestion {
  /** `NAME:PORT`. */
  readonly server: string
  /** Place of the key among those of its server, from 0. */
  readonly index: number
  readonly file: string
}

/** Where a pass phrase is asked for. */
interface Conversation {
  /** Logged before each question. */
  readonly announcement: readonly [code: string, text: string]
  show(text: string): void
  /** Null without an answer. */
  ask(prompt: string): Promise<string | null>
}

/** What pass phrases of a start have been asked for, and how. */
export interface DialogPlace {
  /** Of the start. */
  readonly start: Pick<StartContext, 'terminal' | 'awaitPerson'>
  /** Whether a key of this start was asked for before, so that the greeting was shown. */
  isGreeted: boolean
  /** Whether anybody has answered a question of this start. */
  hasAnswer: boolean
  /** Resolves after so many milliseconds. */
  pause(milliseconds: number): Promise<void>
}

/** How it ended: `open` returned something for a phrase, no phrase did, or nobody answered. */
export type DialogOutcome<K> =
  | { readonly kind: 'opened'; readonly key: K; readonly passPhrase: string }
  | { readonly kind: 'incorrect' }
  | { readonly kind: 'unanswered' }

/** Names of kinds of keys for programs, which httpd chooses by the place of the key. */
const ALGORITHMS = ['RSA', 'DSA', 'ECC'] as const
/** Questions for one key. */
const ATTEMPTS = 6
/** Wrong answers before the first pause; each further one lengthens it, as in httpd, so that phrases cannot be tried fast. */
const WITHOUT_PAUSE = 2
const PAUSE_STEP = 5000
/** OpenSSL's limit, in bytes. */
const LONGEST = 1024
const GREETING =
  'Apache/2.4.71 mod_ssl (Pass Phrase Dialog)\n' +
  'Some of your private key files are encrypted for security reasons.\n' +
  'In order to read them you have to provide the pass phrases.\n'
const PROMPT = 'Enter pass phrase:'

/**
 * Asks for the pass phrase of a key as SSLPassPhraseDialog says, until one opens it. The answers are never logged.
 * @param open returns undefined for a wrong phrase
 */
export async function askPassPhrase<K>(
  dialog: PassPhraseDialog,
  key: KeyInQuestion,
  open: (passPhrase: string) => K | undefined,
  place: DialogPlace,
  log: Pick<StartLog, 'write'>,
): Promise<DialogOutcome<K>> {
  switch (dialog.kind) {
    case 'exec': {
      log.write('info', 'AH01969', `Init: Requesting pass phrase from dialog filter program (${dialog.program})`)
      const answer = await place.start.awaitPerson(firstLineOf(dialog.program, [key.server, algorithmOf(key)]))
      if (answer === null) return { kind: 'unanswered' }
      const passPhrase = answer.slice(0, LONGEST)
      const opened = open(passPhrase)
      return opened === undefined ? { kind: 'incorrect' } : { kind: 'opened', key: opened, passPhrase }
    }
    case 'pipe': {
      log.write('info', 'AH01965', `Init: Creating pass phrase dialog pipe child '${dialog.program}'`)
      const program = new PipedProgram(dialog.program)
      const conversation: Conversation = {
        announcement: ['AH01967', 'Init: Requesting pass phrase via piped dialog'],
        show: (text) => program.write(text),
        ask: (prompt) => place.start.awaitPerson(program.ask(prompt)),
      }
      try {
        return await converse(conversation, key, open, place, log)
      } finally {
        program.end()
      }
    }
    case 'builtin': {
      const { terminal } = place.start
      const conversation: Conversation = {
        announcement: ['AH01968', 'Init: Requesting pass phrase via builtin terminal dialog'],
        show: (text) => terminal?.show(text),
        ask: (prompt) => terminal?.askSecret(prompt) ?? Promise.resolve(null),
      }
      return converse(conversation, key, open, place, log)
    }
  }
}

/** httpd's conversation about one key, word for word, because programs read it. */
async function converse<K>(
  conversation: Conversation,
  { server, index, file }: KeyInQuestion,
  open: (passPhrase: string) => K | undefined,
  place: DialogPlace,
  log: Pick<StartLog, 'write'>,
): Promise<DialogOutcome<K>> {
  if (!place.isGreeted) conversation.show(GREETING)
  place.isGreeted = true
  conversation.show(`\nPrivate key ${server}:${index} (${file})\n`)
  for (let left = ATTEMPTS - 1; ; left--) {
    const passPhrase = await askOnce(conversation, place, log)
    if (passPhrase === null) {
      conversation.show('Apache:mod_ssl:Error: Private key not found.\n**Stopped\n')
      return { kind: 'unanswered' }
    }
    const key = open(passPhrase)
    if (key !== undefined) {
      conversation.show('\nOK: Pass Phrase Dialog successful.\n')
      return { kind: 'opened', key, passPhrase }
    }
    if (left === 0) {
      conversation.show('Apache:mod_ssl:Error: Pass phrase incorrect.\n**Stopped\n')
      return { kind: 'incorrect' }
    }
    const retries = left === 1 ? '1 more retry' : `${left} more retries`
    conversation.show(`Apache:mod_ssl:Error: Pass phrase incorrect (${retries} permitted).\n`)
    const excess = ATTEMPTS - left - WITHOUT_PAUSE
    if (excess > 0) await place.start.awaitPerson(place.pause(excess * PAUSE_STEP))
  }
}

/** A phrase; null if there is none. As in httpd, a failed question is repeated once, and empty lines do not count. */
async function askOnce(conversation: Conversation, place: DialogPlace, log: Pick<StartLog, 'write'>): Promise<string | null> {
  for (let failures = 0; failures < 2; failures++) {
    log.write('info', ...conversation.announcement)
    for (;;) {
      const line = await conversation.ask(PROMPT)
      if (line === null || line.length > LONGEST) break
      if (line !== '') {
        place.hasAnswer = true
        return line
      }
      conversation.show('Apache:mod_ssl:Error: Pass phrase empty (needs to be at least 1 character).\n')
    }
  }
  return null
}

function algorithmOf({ index }: KeyInQuestion): string {
  return ALGORITHMS[index] ?? String(index)
}
