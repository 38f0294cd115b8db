/**
 * A slot for one value of type T in every object of type O, with which a module stores data about a request
 * or connection. The value lives as long as the object, and no other module can read it.
 * @since 2.4.4
 */
export interface Slot<O, T> {
  /** The stored value; undefined before `set`. */
  get(owner: O): T | undefined
  /** Stores a value and replaces the former one. */
  set(owner: O, value: T): void
}
