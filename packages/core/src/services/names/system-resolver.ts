import { lookup } from 'node:dns/promises'
import type { Answer } from './answers.ts'

/** Milliseconds for which an address or its absence is cached: the C library does not report a lifetime. */
const LIFETIME = 60_000
const NEGATIVE_LIFETIME = 10_000

/**
 * The address that the C library's resolver finds for a name with the system's full configuration: sources
 * besides files and name servers, and search domains. IPv4 is asked first. Each query holds one of the few
 * threads for file access until it completes.
 */
export async function systemAddress(name: string): Promise<Answer> {
  for (const family of [4, 6]) {
    const found = await lookup(name, { family }).catch(() => undefined)
    if (found !== undefined) return { values: [found.address], lifetime: LIFETIME }
  }
  return { values: [], lifetime: NEGATIVE_LIFETIME }
}
