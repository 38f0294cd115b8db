import type { PolicyServer } from '../policy-server.ts'
import { ConfigFiles } from '../site/config-files.ts'
import { meetSections } from '../site/meet-sections.ts'
import type { Variant } from '../site/variant.ts'
import { type Difference, type Proof, prove } from './prove.ts'

/** A configuration as written. */
export interface Side {
  /** Every file, by absolute path, one character for each byte. */
  readonly texts: ReadonlyMap<string, string>
  /** Folders with .htaccess files. */
  readonly accessFolders: readonly string[]
  /** @throws ConfigError when it does not load */
  open(variant: Variant): Promise<PolicyServer>
}

/**
 * Decides every class of requests on two existing configurations, at each kind of place that either of them
 * distinguishes. Both are assumed to serve the same folders.
 * @param limit maximum number of requests to decide on each side
 * @param collect receives every difference; without it, only the most ordinary one is found
 * @throws ConfigError if one does not load
 */
export async function proveAlike(
  before: Side,
  after: Side,
  limit: number,
  collect?: (difference: Difference) => void,
): Promise<Proof> {
  const old = await meetSections(new ConfigFiles(before.texts), before)
  const now = await meetSections(new ConfigFiles(after.texts), after)
  const folders = new Set([...old.before.folders, ...now.before.folders])
  // Folders to which no URL leads are made reachable on both sides.
  const lines = [...old.before.after, ...now.before.after]
  const proof = await prove({
    before: { ...old.before, folders, after: lines },
    after: { ...now.before, folders, after: lines },
    chains: [...old.chains, ...now.chains],
    limit,
    collect,
    open: (variant, side) => (side === 'before' ? before : after).open(variant),
  })
  const ruled = [...old.unmet, ...now.unmet].filter(({ access }) => access.lines.length > 0 || access.obstacles.length > 0)
  const unmet = ruled.map(({ title, file, line }) => `${title} (${file}:${line}): no request reaches it`)
  return { ...proof, sampled: [...new Set([...proof.sampled, ...unmet])] }
}
