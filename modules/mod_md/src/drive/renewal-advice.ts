import { randomInt } from 'node:crypto'
import { renewalIdOf } from '@gatewright/acme'
import type { ManagedDomain } from '../domains/managed-domain.ts'
import { askProcess } from './ask-process.ts'
import type { RenewalParts } from './renewal.ts'

/** When a CA advises to renew. */
export interface RenewalAdvice {
  /** A time in the window that the CA suggests (RFC 9773 section 4.2), in milliseconds. */
  readonly at: number
  /** URL of a page; '' without. */
  readonly explanation: string
}

/** Asks the CA of a domain; null when it has no advice, or cannot be asked. */
export async function renewalAdvice(parts: RenewalParts, md: ManagedDomain): Promise<RenewalAdvice | null> {
  const ids = md.certificates.flatMap((stored) => (stored === undefined ? [] : (renewalIdOf(stored.certificate.raw) ?? [])))
  if (ids.length === 0 || md.certificateFiles.length > 0) return null
  const nothing = async (): Promise<void> => undefined
  const events = { progress: () => undefined, account: () => undefined, setUp: nothing, tearDown: nothing }
  try {
    const reach = parts.reachOf(md.authorities[0], md)
    const result = await askProcess({ kind: 'renewal-info', reach, ids }, events, parts.signal)
    if (result.type === 'failed') parts.log.write(null, 'debug', '', `${md.name}: no renewal information: ${result.message}`)
    if (result.type !== 'window' || result.window === null) return null
    const { start, end, explanation } = result.window
    return { at: start + randomInt(Math.max(1, Math.min(end - start, 2 ** 47))), explanation }
  } catch (error) {
    parts.log.write(
      null,
      'debug',
      '',
      `${md.name}: no renewal information: ${error instanceof Error ? error.message : String(error)}`,
    )
    return null
  }
}
