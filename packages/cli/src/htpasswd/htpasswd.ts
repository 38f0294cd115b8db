import { accessSync, constants, readFileSync, statSync } from 'node:fs'
import { verifyPassword } from '@gatewright/passwd'
import { PasswordInterrupted } from '../password/ask-password.ts'
import { Refusal } from '../password/refusal.ts'
import { replaceFile } from '../replace-file.ts'
import type { ToolConsole } from '../tool-console.ts'
import { DONE, FILE_REFUSED, INTERRUPTED, WRONG_FILE, WRONG_PASSWORD, WRONG_USER } from './exit-status.ts'
import { makeRecord } from './make-record.ts'
import { type HtpasswdOptions, parseOptions } from './options.ts'
import { readPassword } from './read-password.ts'
import { rewrite, userLines } from './user-lines.ts'

/** htpasswd's command line: users of a password file and their passwords. @returns the exit status */
export async function htpasswd(argv: readonly string[], console: ToolConsole): Promise<number> {
  try {
    return await run(parseOptions(argv, console), console)
  } catch (error) {
    if (error instanceof PasswordInterrupted) {
      console.err('Interrupted.\n')
      return INTERRUPTED
    }
    if (!(error instanceof Refusal)) throw error
    console.err(error.output)
    return error.status
  }
}

async function run(options: HtpasswdOptions, console: ToolConsole): Promise<number> {
  checkAccess(options)
  if (options.action === 'delete') return removeUser(options, console)
  const password = await readPassword(options, console)
  if (options.action === 'verify') return verify(options, password, console)
  const record = makeRecord(options, password, console)
  if (options.action === 'print') console.out(`${record}\n\n`)
  else store(options, record, console)
  return DONE
}

/** Call this before prompting for a password. */
function checkAccess({ action, file }: HtpasswdOptions): void {
  if (action === 'print') return
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) {
    if (action === 'create') return
    throw new Refusal(`htpasswd: cannot modify file ${file}; use '-c' to create it\n`, FILE_REFUSED)
  }
  const [mode, what] = action === 'verify' ? [constants.R_OK, 'read'] : [constants.R_OK | constants.W_OK, 'read/write']
  try {
    accessSync(file, mode)
  } catch {
    throw new Refusal(`htpasswd: cannot open file ${file} for ${what} access\n`, FILE_REFUSED)
  }
}

function store({ action, file, user }: HtpasswdOptions, record: string, console: ToolConsole): void {
  if (action === 'create') {
    replace(file, `${record}\n`, `cannot create file ${file}`)
    console.err(`Adding password for user ${user}\n`)
    return
  }
  const { content, found } = rewritten(file, user, record)
  replace(file, content, `unable to update file ${file}`)
  console.err(`${found ? 'Updating' : 'Adding'} password for user ${user}\n`)
}

function removeUser({ file, user }: HtpasswdOptions, console: ToolConsole): number {
  const { content, found } = rewritten(file, user, null)
  if (found) replace(file, content, `unable to update file ${file}`)
  console.err(found ? `Deleting password for user ${user}\n` : `User ${user} not found\n`)
  return DONE
}

function rewritten(file: string, user: string, record: string | null): { readonly content: string; readonly found: boolean } {
  return rewrite(readFileSync(file, 'latin1'), user, record) ?? notPasswords(file)
}

/** The first line of the user applies, as in httpd. */
function verify({ file, user }: HtpasswdOptions, password: string, console: ToolConsole): number {
  for (const line of userLines(readFileSync(file, 'latin1'))) {
    if (line.kind === 'wrong') notPasswords(file)
    if (line.kind !== 'user' || line.user !== user) continue
    if (line.stored === '') {
      console.err(`Empty hash for user ${user}\n`)
      return WRONG_FILE
    }
    const matches = verifyPassword(line.stored, Buffer.from(password, 'latin1'))
    console.err(matches ? `Password for user ${user} correct.\n` : 'password verification failed\n')
    return matches ? DONE : WRONG_PASSWORD
  }
  console.err(`User ${user} not found\n`)
  return WRONG_USER
}

function notPasswords(file: string): never {
  throw new Refusal(`htpasswd: The file ${file} does not appear to be a valid htpasswd file.\n`, WRONG_FILE)
}

function replace(file: string, content: string, complaint: string): void {
  try {
    replaceFile(file, content)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Refusal(
      `htpasswd: ${complaint}\n`,
      FILE_REFUSED,
      `${reason}; the folder must be writable, because the new file is created there and then replaces the old one`,
    )
  }
}
