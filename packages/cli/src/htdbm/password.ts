import { hashPassword } from '@gatewright/passwd'
import { Refusal } from '../password/refusal.ts'
import type { ToolConsole } from '../tool-console.ts'
import type { HtdbmOptions, PasswordSource } from './options.ts'
import { HTDBM_STATUS } from './status.ts'

/** The size of the buffer in httpd's htdbm, in bytes; a password must be shorter. */
const BUFFER_SIZE = 256

/** Number of significant bytes with crypt. */
const CRYPT_LENGTH = 8

/** Reads the password: bytes, one character each. */
export async function getPassword(source: PasswordSource, console: ToolConsole): Promise<string> {
  switch (source.from) {
    case 'argument':
      return source.text
    case 'input':
      return checkLength(console.readInput(BUFFER_SIZE).toString('latin1')).replace(/\r?\n$/, '')
    case 'prompt': {
      const first = checkLength(await console.ask('New password: '))
      const second = await console.ask('Re-type new password: ')
      if (second !== first) throw new Refusal('Error: password verification error\n', HTDBM_STATUS.mismatch)
      return first
    }
  }
}

/** The password in its stored form. */
export function storedPassword(password: string, { form, cost }: HtdbmOptions, console: ToolConsole): string {
  if (cost !== null && form !== 'bcrypt') console.err('Warning: Ignoring -C/-r argument for this algorithm.\n')
  if (form === 'plain') return password
  if (form === 'crypt' && password.length > CRYPT_LENGTH) {
    console.err('Warning: Password truncated to 8 characters by CRYPT algorithm.\n')
  }
  try {
    return hashPassword(form, Buffer.from(password, 'latin1'), { cost: cost ?? undefined })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    // httpd's htdbm stores what crypt returns for a password that it cannot hash.
    const complaint = `Error: Unable to encode with ${form}: Invalid argument\n`
    throw new Refusal(complaint, HTDBM_STATUS.mismatch, error.message)
  }
}

function checkLength(password: string): string {
  if (password.length < BUFFER_SIZE) return password
  throw new Refusal(`Error: password too long (>${BUFFER_SIZE})\n`, HTDBM_STATUS.tooLong)
}
