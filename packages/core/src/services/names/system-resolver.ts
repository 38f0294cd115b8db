import { lookup } from 'node:dns/promises'
import type { Answer } from './answers.ts'

/** Milliseconds that an address, and that no address, is remembered: the C library tells no lifetime. */
const LIFETIME = 60_000
const NEGATIVE_LIFETIME = 10_000

/**
 * The address that the C library's resolver has for a name, with all that the system's configuration knows: other sources than files and name servers, and domains
 * to search. IPv4 is asked first. Each question holds one of the few threads for file access until it is answered.
 */
export async function systemAddress(name: string): Promise<Answer> {
  for (const family of [4, 6]) {
    const found = await lookup(name, { family }).catch(() => undefined)
    if (found !== undefined) return { values: [found.address], lifetime: LIFETIME }
  }
  return { values: [], lifetime: NEGATIVE_LIFETIME }
}
