import type { ProviderGroup } from '@gatewright/api'

/** A group that knows no provider. */
export function emptyGroup<P>(): ProviderGroup<P> {
  return { add: () => undefined, get: () => undefined, names: () => [] }
}
