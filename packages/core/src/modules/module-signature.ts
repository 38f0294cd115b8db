import { type KeyObject, sign, verify } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { systemReason } from '../base/error-text.ts'
import { type SigningKey, signingKey, signingKeyText } from './signing-key.ts'

/** The file of a module's signatures lies beside the module. */
export const SIGNATURE_ENDING = '.sig'

/** Far more than the signatures of any module. */
const LARGEST = 64 * 1024
const LINE = /^(\S+) ([A-Za-z0-9+/]{86}==)$/

/** What is wrong with the signatures of a module, for a message, and the solution. */
export interface SignatureProblem {
  readonly reason: string
  readonly hint: string
}

/** A line of a file of signatures: the key that it names, and its signature. */
export interface ModuleSignature {
  readonly signer: SigningKey
  readonly signature: Buffer
}

/** The line of a signature over all bytes of a module's file. */
export function signatureLine(bytes: Buffer, privateKey: KeyObject): string {
  return `${signingKeyText(privateKey)} ${sign(null, bytes, privateKey).toString('base64')}\n`
}

/** The signatures in a text; a number is that of the first line that is not one. */
export function signaturesOf(text: string): readonly ModuleSignature[] | number {
  const found: ModuleSignature[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue
    const [, word = '', base64 = ''] = LINE.exec(line.trimEnd()) ?? []
    const signer = signingKey(word)
    if (signer === undefined) return index + 1
    found.push({ signer, signature: Buffer.from(base64, 'base64') })
  }
  return found
}

/**
 * Checks that one of the keys has signed exactly these bytes.
 * @param file the module's file, beside which its signatures are
 * @param bytes its content, which is what must be executed afterwards
 * @returns null if it has
 */
export function checkSignature(file: string, bytes: Buffer, keys: readonly SigningKey[]): SignatureProblem | null {
  const place = `${file}${SIGNATURE_ENDING}`
  const read = readSmallFile(place)
  if ('missing' in read) {
    const hint = `${place} does not exist: examine the module with gatewright module, and sign it with apxs --sign KEY ${file}`
    return { reason: 'it is not signed, and ModuleSignedBy is in force', hint }
  }
  if ('error' in read) return { reason: `its signatures cannot be read: ${read.error}`, hint: `looked for ${place}` }
  const signatures = signaturesOf(read.text)
  if (typeof signatures === 'number') {
    const hint = `line ${signatures} of ${place} is not of the form ed25519:KEY SIGNATURE: sign the module again`
    return { reason: 'its signatures are damaged', hint }
  }
  const listed = signatures.filter(({ signer }) => keys.some(({ text }) => text === signer.text))
  if (listed.some(({ signer, signature }) => verify(null, bytes, signer.key, signature))) return null
  if (listed.length > 0) {
    const hint = `${listed[0].signer.text} has signed other bytes: build or copy the module and ${place} again`
    return { reason: 'its signature does not match: it was changed after it was signed', hint }
  }
  const signers = signatures.map(({ signer }) => signer.text).join(', ')
  const hint = `it is signed by ${signers === '' ? 'nobody' : signers}: add the key to ModuleSignedBy if you trust it, or sign the module yourself with apxs --sign`
  return { reason: 'no key of ModuleSignedBy has signed it', hint }
}

/** The text of a small regular file. A FIFO would wait for a writer, and so it is not opened. */
export function readSmallFile(path: string): { readonly text: string } | { readonly missing: true } | { readonly error: string } {
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat === undefined) return { missing: true }
    if (!stat.isFile()) return { error: 'Not a regular file' }
    if (stat.size > LARGEST) return { error: 'File too large' }
    return { text: readFileSync(path, 'latin1') }
  } catch (error) {
    return { error: systemReason(error) }
  }
}
