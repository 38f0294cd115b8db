/** Header fields of a request. Names match in any case. */
export interface Fields extends Iterable<[string, string]> {
  /** All values of the name joined with `, `, or undefined. */
  get(name: string): string | undefined
  /** Whether a field with this name exists, even an empty one. */
  has(name: string): boolean
  /** Replaces all fields with this name by one. */
  set(name: string, value: string): void
  /** Removes all fields with this name. */
  delete(name: string): void
}
