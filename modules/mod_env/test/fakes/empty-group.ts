import type { ProviderGroup } from '@gatewright/api'

/** A provider group without providers. */
export function emptyGroup<P>(): ProviderGroup<P> {
  return { add: () => undefined, get: () => undefined, names: () => [] }
}
