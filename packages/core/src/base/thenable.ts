/**
 * True for a promise and what can be awaited like one, as code that is not type-checked may return it
 * anywhere.
 */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
