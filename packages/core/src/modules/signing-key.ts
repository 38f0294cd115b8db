import { createPublicKey, type KeyObject } from 'node:crypto'

/** A public key of ed25519 that signs modules. */
export interface SigningKey {
  /** `ed25519:` and the 32 bytes of the key in base64. */
  readonly text: string
  readonly key: KeyObject
}

const TEXT = /^ed25519:([A-Za-z0-9+/]{43}=)$/

/** The key of a word such as `ed25519:BASE64`; undefined for any other word. */
export function signingKey(word: string): SigningKey | undefined {
  const [, base64] = TEXT.exec(word) ?? []
  if (base64 === undefined) return undefined
  const bytes = Buffer.from(base64, 'base64')
  // The last digit of base64 has bits that no byte has: one key must not have several texts.
  if (bytes.toString('base64') !== base64) return undefined
  const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') } })
  return { text: word, key }
}

/** The text of a public or private key of ed25519. @throws TypeError for a key of another kind */
export function signingKeyText(key: KeyObject): string {
  if (key.asymmetricKeyType !== 'ed25519') throw new TypeError('not a key of ed25519')
  const { x = '' } = key.export({ format: 'jwk' })
  return `ed25519:${Buffer.from(x, 'base64url').toString('base64')}`
}

/** The keys of a file, or what is wrong with it. */
export type KeysOfFile = { readonly keys: readonly SigningKey[] } | { readonly error: string; readonly hint: string }

/**
 * Reads public keys from a file's text: PEM (`BEGIN PUBLIC KEY`), or lines `ed25519:BASE64` with an optional comment
 * after a space. Empty lines and those that begin with # do not count.
 */
export function keysOfText(text: string): KeysOfFile {
  if (text.includes('PRIVATE KEY-----')) {
    return {
      error: 'contains a private key, which the server must never have',
      hint: 'move that file away from the server, and name the public key, which apxs --new-key writes to NAME.pub',
    }
  }
  const keys: SigningKey[] = []
  const blocks = /-----BEGIN PUBLIC KEY-----[A-Za-z0-9+/=\s]*-----END PUBLIC KEY-----/g
  for (const [block] of text.matchAll(blocks)) {
    const key = pemKey(block)
    if (key === undefined) return notKeys('contains a public key that is not of ed25519')
    keys.push(key)
  }
  const rest = text.replaceAll(blocks, (block) => block.replaceAll(/[^\n]/g, ''))
  for (const [index, line] of rest.split('\n').entries()) {
    const [word = ''] = line.trim().split(/\s+/)
    if (word === '' || word.startsWith('#')) continue
    const key = signingKey(word)
    if (key === undefined) return notKeys(`contains something else than keys in line ${index + 1}`)
    keys.push(key)
  }
  return keys.length === 0 ? notKeys('contains no key') : { keys }
}

function notKeys(error: string): KeysOfFile {
  return { error, hint: 'write lines of the form ed25519:BASE64, or PEM; apxs --new-key NAME makes a key' }
}

function pemKey(block: string): SigningKey | undefined {
  try {
    return signingKey(signingKeyText(createPublicKey(block)))
  } catch {
    return undefined
  }
}
