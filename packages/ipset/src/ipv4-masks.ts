import type { Network } from './network.ts'
import { countUpTo } from './sorted-words.ts'

/**
 * IPv4 networks whose masks have holes and that therefore are not ranges. They are grouped by mask, because
 * lists have many networks and few masks. A look-up is linear in the number of masks.
 */
export class Ipv4Masks {
  readonly #masks: Uint32Array
  /** The sorted addresses of each mask. */
  readonly #addresses: readonly Uint32Array[]

  constructor(networks: readonly Network[]) {
    const byMask = Map.groupBy(networks, ({ mask }) => mask.w0)
    this.#masks = Uint32Array.from(byMask.keys())
    this.#addresses = Array.from(byMask.values(), (alike) => Uint32Array.from(alike, ({ address }) => address.w0).sort())
  }

  has(bits: number): boolean {
    const masks = this.#masks
    for (let index = 0; index < masks.length; index++) {
      const wanted = (bits & masks[index]) >>> 0
      const addresses = this.#addresses[index]
      const count = countUpTo(addresses, wanted)
      if (count > 0 && addresses[count - 1] === wanted) return true
    }
    return false
  }
}
