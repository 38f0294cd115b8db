import type { Slot } from '@gatewright/api'

/** An object for which modules may store values. */
export interface SlotOwner {
  moduleSlots: unknown[] | null
}

/** The slots of one class of objects, numbered in the order of requests by modules. */
export class Slots<R extends SlotOwner> {
  readonly #recordOf: (owner: object) => R
  #count = 0

  /** @param recordOf returns the host's own object for an object that modules have; throws for any other */
  constructor(recordOf: (owner: object) => R) {
    this.#recordOf = recordOf
  }

  make<O extends object, T>(): Slot<O, T> {
    const index = this.#count++
    const recordOf = this.#recordOf
    return {
      // A value at this index was stored by this slot's own `set`.
      get: (owner) => recordOf(owner).moduleSlots?.[index] as T | undefined,
      set: (owner, value) => {
        const record = recordOf(owner)
        record.moduleSlots ??= []
        record.moduleSlots[index] = value
      },
    }
  }
}
