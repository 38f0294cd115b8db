import { createPrivateKey, type KeyObject } from 'node:crypto'
import { isEncrypted, privateKeyIn } from './pem.ts'
import type { StartFiles } from './start-files.ts'

/** What a file says of a private key. The key is never printed. */
export type ReadKey =
  | { readonly kind: 'key'; readonly key: KeyObject }
  /** A pass phrase is needed; `open` tries one, with one character per byte. */
  | { readonly kind: 'encrypted'; open(passPhrase: string): KeyObject | undefined }
  | { readonly kind: 'none' }

/** Reads the first private key of a file, PEM or DER. */
export function readKey(path: string, files: StartFiles): ReadKey {
  const bytes = files.bytes(path)
  if (bytes instanceof Error) return { kind: 'none' }
  const block = privateKeyIn(bytes.toString('latin1'))
  if (block === undefined) return keyOrNone(derKey(bytes))
  if (isEncrypted(block))
    return {
      kind: 'encrypted',
      open: (phrase) => attempt({ key: block.text, format: 'pem', passphrase: Buffer.from(phrase, 'latin1') }),
    }
  return keyOrNone(attempt({ key: block.text, format: 'pem' }))
}

function derKey(key: Buffer): KeyObject | undefined {
  for (const type of ['pkcs8', 'pkcs1', 'sec1'] as const) {
    const found = attempt({ key, format: 'der', type })
    if (found !== undefined) return found
  }
  return undefined
}

function keyOrNone(key: KeyObject | undefined): ReadKey {
  return key === undefined ? { kind: 'none' } : { kind: 'key', key }
}

function attempt(input: Parameters<typeof createPrivateKey>[0]): KeyObject | undefined {
  try {
    return createPrivateKey(input)
  } catch {
    return undefined
  }
}
