/**
 * Whether the platform's crypt(3) hashes a password of this length. For a longer one it fails, and nothing
 * matches.
 */
export function fitsCrypt(password: Uint8Array): boolean {
  return password.length <= PASSWORD_MAX
}

/**
 * Whether the platform's crypt(3) accepts the salt: printable ASCII without the characters that would damage
 * a colon-separated file or that mark a locked account. Any other character makes crypt(3) fail with every
 * scheme.
 */
export function isCryptSalt(salt: string): boolean {
  for (let at = 0; at < salt.length; at++) {
    const code = salt.charCodeAt(at)
    if (code <= 0x20 || code >= 0x7f || FORBIDDEN.includes(salt[at])) return false
  }
  return true
}

const PASSWORD_MAX = 511

const FORBIDDEN = '!*:;\\'
