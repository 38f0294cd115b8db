import { hash } from 'node:crypto'

/** `{SHA}` and the base 64 of the password's SHA-1, without salt. */
export function sha1Text(password: Uint8Array): string {
  return `{SHA}${hash('sha1', password, 'base64')}`
}
