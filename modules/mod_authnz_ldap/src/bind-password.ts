import { spawnSync } from 'node:child_process'
import type { Command, Problem } from '@gatewright/api'

/** How long a program may take, in milliseconds. */
const PATIENCE = 20_000

/**
 * The argument of AuthLDAPBindPassword: a password, or after `exec:` a command that prints one on its first line. It is
 * run while the configuration is read.
 */
export function readBindPassword(text: string, command: Command): { readonly password: string } | string | Problem {
  const isCommand = text.startsWith('exec:') && text.length > 'exec:'.length
  if (!isCommand) return { password: text }
  // Authors of .htaccess files could run programs as the server, and hold up all other requests with them.
  if (command.inHtaccess)
    return { message: EMPTY, hint: 'exec: is run for the configuration of the server only, not for .htaccess files' }
  const [program, ...words] = command.words(text.slice('exec:'.length))
  if (program === undefined || program === '') return 'Invalid AuthLDAPBindPassword exec location:'
  const password = firstLine(command.serverRelative(program), words)
  return password === '' ? { message: EMPTY, hint: `${program} failed, or printed nothing on its first line` } : { password }
}

const EMPTY = 'Empty passwords are invalid for AuthLDAPBindPassword'

/** What a program prints up to the end of its first line, without white space at the end; '' if it fails. */
function firstLine(program: string, words: readonly string[]): string {
  const { stdout, error } = spawnSync(native(program), words.map(native), {
    encoding: 'latin1',
    timeout: PATIENCE,
    maxBuffer: 64 * 1024,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return error === undefined ? (stdout.split('\n', 1)[0] ?? '').trimEnd() : ''
}

/** Text of the configuration has one character for each byte. */
function native(text: string): string {
  return Buffer.from(text, 'latin1').toString()
}
