import { readFileSync } from 'node:fs'
import { checkSignature, isOwnModule, readSmallFile, SIGNATURE_ENDING, signaturesOf } from '@gatewright/core'
import { OWN_MODULES } from '../program.ts'

/** Who has signed a module's file, for a report. Whether a key is trusted is a matter of ModuleSignedBy. */
export function signersOf(file: string): string {
  const read = readSmallFile(`${file}${SIGNATURE_ENDING}`)
  if ('missing' in read) {
    return isOwnModule(readFileSync(file), OWN_MODULES) ? 'nobody: it came with this server, and needs no signature' : 'nobody'
  }
  if (!('text' in read)) return `unknown: ${read.error}`
  const signatures = signaturesOf(read.text)
  if (typeof signatures === 'number') return `unknown: line ${signatures} of the file of signatures is damaged`
  const bytes = readFileSync(file)
  const texts = signatures.map(({ signer }) =>
    checkSignature(file, bytes, [signer]) === null ? signer.text : `${signer.text} (of other bytes)`,
  )
  return texts.join(', ') || 'nobody'
}
