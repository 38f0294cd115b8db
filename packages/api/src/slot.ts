/**
 * A place for one value of type T in every object of type O: what a module remembers of a request or a
 * connection. It is gone with the object, and no other module sees it.
 * @since 2.4.4
 */
export interface Slot<O, T> {
  /** What was put there; undefined before. */
  get(owner: O): T | undefined
  /** Puts a value there in the place of any other. */
  set(owner: O, value: T): void
}
