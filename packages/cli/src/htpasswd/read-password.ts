import { Refusal } from '../password/refusal.ts'
import type { ToolConsole } from '../tool-console.ts'
import { TOO_LONG, WRONG_PASSWORD } from './exit-status.ts'
import { type HtpasswdOptions, PASSWORD_LIMIT } from './options.ts'

/**
 * The password to store or verify; bytes up to the first NUL, one character each.
 * @throws Refusal
 */
export async function readPassword({ source, password, action }: HtpasswdOptions, console: ToolConsole): Promise<string> {
  switch (source) {
    case 'argument':
      return password
    case 'input':
      return fromInput(console.readInput(PASSWORD_LIMIT).toString('latin1'))
    case 'prompt':
      return action === 'verify' ? untilNul(await ask(console, 'Enter password: ')) : askTwice(console)
  }
}

/** Only the last line end is removed: a password may contain others. */
function fromInput(input: string): string {
  if (input.length >= PASSWORD_LIMIT) throw tooLong()
  return untilNul(input.replace(/\r?\n$/, ''))
}

async function askTwice(console: ToolConsole): Promise<string> {
  const first = await ask(console, 'New password: ')
  const second = await ask(console, 'Re-type new password: ')
  if (first !== second) throw new Refusal('htpasswd: password verification error\n', WRONG_PASSWORD)
  return untilNul(first)
}

async function ask(console: ToolConsole, prompt: string): Promise<string> {
  const password = await console.ask(prompt)
  if (password.length > PASSWORD_LIMIT) throw tooLong()
  return password
}

function tooLong(): Refusal {
  return new Refusal(`htpasswd: password too long (>${PASSWORD_LIMIT})\n`, TOO_LONG)
}

function untilNul(text: string): string {
  return text.split('\0', 1)[0]
}
