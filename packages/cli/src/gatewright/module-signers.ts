import { readFileSync } from 'node:fs'
import { checkSignature, readSmallFile, SIGNATURE_ENDING, signaturesOf } from '@gatewright/core'

/** Who has signed a module's file, for a report. Whether a key is trusted is a matter of ModuleSignedBy. */
export function signersOf(file: string): string {
  const read = readSmallFile(`${file}${SIGNATURE_ENDING}`)
  if (!('text' in read)) return 'missing' in read ? 'nobody' : `unknown: ${read.error}`
  const signatures = signaturesOf(read.text)
  if (typeof signatures === 'number') return `unknown: line ${signatures} of the file of signatures is damaged`
  const bytes = readFileSync(file)
  const texts = signatures.map(({ signer }) =>
    checkSignature(file, bytes, [signer]) === null ? signer.text : `${signer.text} (of other bytes)`,
  )
  return texts.join(', ') || 'nobody'
}
