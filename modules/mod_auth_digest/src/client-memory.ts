import type { HostServices, SharedStore } from '@gatewright/api'

/** Bytes of AuthDigestShmemSize per client, as in httpd. */
export const CLIENT_BYTES = 88

/** Limits of the number of clients. AuthDigestShmemSize alone would allow only a dozen by default. */
const FEWEST = 1_000
const MOST = 1_000_000

/** What a record occupies in a store of this server: key, Base64, and what the store needs for each entry. */
const STORED_BYTES = 150

/** The number of clients that are remembered. @param bytes AuthDigestShmemSize; 0 without one */
export function clientLimit(bytes: number): number {
  return Math.min(MOST, Math.max(FEWEST, Math.floor(bytes / CLIENT_BYTES)))
}

/**
 * Where clients are remembered: in the cache of all machines, and while that one is away in the memory of this server.
 * @param bytes AuthDigestShmemSize
 */
export function clientStores(services: Pick<HostServices, 'shared' | 'sharedStore'>, bytes: number): readonly SharedStore[] {
  const limit = clientLimit(bytes) * STORED_BYTES
  const shared = services.shared('mod_auth_digest.c clients', limit)
  return shared.reach === 'server' ? [shared] : [shared, services.sharedStore('mod_auth_digest.c own clients', limit)]
}
