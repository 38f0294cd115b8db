import { spawnSync } from 'node:child_process'
import type { PassPhraseDialog } from '../settings.ts'

/** A key for which a pass phrase is asked. */
export interface KeyInQuestion {
  /** `NAME:PORT`. */
  readonly server: string
  /** Place of the key among those of its server, from 0. */
  readonly index: number
  readonly file: string
}

/** Names of kinds of keys for programs, which httpd chooses by the place of the key. */
const ALGORITHMS = ['RSA', 'DSA', 'ECC'] as const
/** OpenSSL's limit. */
const LONGEST = 1024
/** A program that needs longer than this (ms) is ended. */
const PATIENCE = 120_000

/**
 * Asks for the pass phrase of a key, as SSLPassPhraseDialog says. The answer is never logged.
 * @returns undefined when there is no answer
 */
export function askPassPhrase(dialog: PassPhraseDialog, key: KeyInQuestion): string | undefined {
  switch (dialog.kind) {
    case 'exec': {
      const algorithm = ALGORITHMS[key.index] ?? String(key.index)
      return firstLine(run(dialog.program, [key.server, algorithm], ''))
    }
    case 'pipe': {
      // The conversation of httpd: a greeting and a prompt, then one line from the program.
      const [program = '', ...words] = dialog.program.split(/\s+/).filter((word) => word !== '')
      return answerLine(
        run(program, words, `${GREETING}\nPrivate key ${key.server}:${key.index} (${key.file})\nEnter pass phrase:\n`),
      )
    }
    case 'builtin':
      // The processes of this server have no terminal.
      return undefined
  }
}

const GREETING =
  'Apache/2.4.71 mod_ssl (Pass Phrase Dialog)\n' +
  'Some of your private key files are encrypted for security reasons.\n' +
  'In order to read them you have to provide the pass phrases.\n'

function run(program: string, words: readonly string[], input: string): string | undefined {
  const { stdout, error } = spawnSync(Buffer.from(program, 'latin1').toString(), words, {
    input,
    encoding: 'latin1',
    timeout: PATIENCE,
    maxBuffer: 64 * 1024,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  return error === undefined || stdout !== '' ? (stdout ?? undefined) : undefined
}

/** What a program of `exec:` has printed up to the end of its first line. */
function firstLine(output: string | undefined): string | undefined {
  return output?.split(/[\r\n]/, 1)[0]?.slice(0, LONGEST)
}

/** A program of `|` has to end its line. */
function answerLine(output: string | undefined): string | undefined {
  return output?.includes('\n') === true ? firstLine(output) : undefined
}
