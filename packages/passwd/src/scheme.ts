import { isItoa64 } from './itoa64.ts'

/**
 * The password schemes, which httpd distinguishes by the beginning of the stored text: `bcrypt` = `$2a$ $2b$
 * $2x$ $2y$`, `apr1` = `$apr1$`, `sha` = `{SHA}`, `md5` = `$1$`, `sha256` = `$5$`, `sha512` = `$6$`, `crypt`
 * = traditional DES crypt(3). `unsupported` is any other text and never matches a password.
 */
export type Scheme = 'bcrypt' | 'apr1' | 'sha' | 'md5' | 'sha256' | 'sha512' | 'crypt' | 'unsupported'

/**
 * Identifies the scheme of a stored text. Only the prefix matters (for DES crypt: the length and the
 * alphabet), so that messages can name the scheme of a damaged text; {@link verifyPassword} still rejects it.
 * Prefixes are case-sensitive.
 */
export function identifyScheme(stored: string): Scheme {
  if (stored.startsWith('$')) return dollarScheme(stored)
  if (stored.startsWith('{SHA}')) return 'sha'
  return stored.length === DES_TEXT_LENGTH && isItoa64(stored) ? 'crypt' : 'unsupported'
}

/**
 * True if verifying takes about a microsecond and may run on the event loop. Every scheme that is slow by
 * design, and DES crypt, whose 25 encryptions take tens of microseconds, must run in a thread.
 */
export function isCheap(scheme: Scheme): boolean {
  return scheme === 'sha'
}

const DES_TEXT_LENGTH = 13

function dollarScheme(stored: string): Scheme {
  if (stored.startsWith('$apr1$')) return 'apr1'
  if (stored.startsWith('$1$')) return 'md5'
  if (stored.startsWith('$5$')) return 'sha256'
  if (stored.startsWith('$6$')) return 'sha512'
  if (stored.startsWith('$2a$') || stored.startsWith('$2b$') || stored.startsWith('$2x$') || stored.startsWith('$2y$')) {
    return 'bcrypt'
  }
  return 'unsupported'
}
