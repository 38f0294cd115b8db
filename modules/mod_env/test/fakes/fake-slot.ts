import type { Slot } from '@gatewright/api'

/** A slot that stores values outside the objects. */
export function fakeSlot<O extends object, T>(): Slot<O, T> {
  const values = new WeakMap<O, T>()
  return { get: (owner) => values.get(owner), set: (owner, value) => void values.set(owner, value) }
}
