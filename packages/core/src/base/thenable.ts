/**
 * Whether a value is a promise or can be awaited like one. Code that is not type-checked may return it
 * anywhere.
 */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
