import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { PasswordInterrupted } from '../password/ask-password.ts'
import { Refusal } from '../password/refusal.ts'
import { replaceFile } from '../replace-file.ts'
import type { ToolConsole } from '../tool-console.ts'
import { hasUser, rewrite } from './digest-lines.ts'

const USAGE = 'Usage: htdigest [-c] passwordfile realm username\nThe -c flag creates a new file.\n'

const FAILED = 1
const TOO_LONG = 5
const PASSWORD_LIMIT = 256

/** htdigest's command line: users of a file for Digest authentication. @returns the exit status */
export async function htdigest(argv: readonly string[], console: ToolConsole): Promise<number> {
  try {
    await run(argv, console)
    return 0
  } catch (error) {
    if (error instanceof PasswordInterrupted) {
      console.err('Interrupted.\n')
      return FAILED
    }
    if (!(error instanceof Refusal)) throw error
    console.err(error.output)
    return error.status
  }
}

async function run(argv: readonly string[], console: ToolConsole): Promise<void> {
  const create = argv.length === 4 && argv[0] === '-c'
  const words = create ? argv.slice(1) : argv
  if (words.length !== 3) throw new Refusal(USAGE, FAILED)
  const file = Buffer.from(words[0], 'latin1').toString()
  const realm = field('realm', words[1])
  const user = field('username', words[2])

  const content = create ? '' : read(file)
  console.err(announcement(create, content, user, realm))
  const hash = createHash('md5')
    .update(`${user}:${realm}:${await askTwice(console)}`, 'latin1')
    .digest('hex')
  write(file, rewrite(content, user, realm, `${user}:${realm}:${hash}`), create)
}

function announcement(create: boolean, content: string, user: string, realm: string): string {
  if (create) return `Adding password for ${user} in realm ${realm}.\n`
  return hasUser(content, user, realm)
    ? `Changing password for user ${user} in realm ${realm}\n`
    : `Adding user ${user} in realm ${realm}\n`
}

/** A word that becomes a field of a line; bytes, one character each. */
function field(what: string, text: string): string {
  if (!/[:\r\n]/.test(text)) return text
  throw new Refusal(
    `htdigest: ${what} contains a colon or a line end\n`,
    FAILED,
    'these separate fields and users: choose a name without them',
  )
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    throw new Refusal(`Could not open passwd file ${file} for reading.\nUse -c option to create new one.\n`, FAILED)
  }
}

async function askTwice(console: ToolConsole): Promise<string> {
  const first = await console.ask('New password: ')
  if (first.length >= PASSWORD_LIMIT) throw new Refusal('password too long\n', TOO_LONG)
  const second = await console.ask('Re-type new password: ')
  if (first !== second) throw new Refusal("They don't match, sorry.\n", FAILED)
  return first
}

function write(file: string, content: string, create: boolean): void {
  try {
    replaceFile(file, content)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const complaint = create ? `Could not open passwd file ${file} for writing` : `htdigest: unable to update file ${file}`
    throw new Refusal(
      `${complaint}\n`,
      FAILED,
      `${reason}; the folder must be writable, because the new file is created there and then replaces the old one`,
    )
  }
}
