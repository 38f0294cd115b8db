import type { Slot } from '@gatewright/api'

/** An object that modules may remember something of. */
export interface SlotOwner {
  moduleSlots: unknown[] | null
}

/** The slots of one class of objects, numbered as modules ask for them. */
export class Slots<R extends SlotOwner> {
  readonly #recordOf: (owner: object) => R
  #count = 0

  /** @param recordOf the host's own object behind what modules see; throws for any other */
  constructor(recordOf: (owner: object) => R) {
    this.#recordOf = recordOf
  }

  make<O extends object, T>(): Slot<O, T> {
    const index = this.#count++
    const recordOf = this.#recordOf
    return {
      // What stands at this index came through this slot's own `set`.
      get: (owner) => recordOf(owner).moduleSlots?.[index] as T | undefined,
      set: (owner, value) => {
        const record = recordOf(owner)
        record.moduleSlots ??= []
        record.moduleSlots[index] = value
      },
    }
  }
}
