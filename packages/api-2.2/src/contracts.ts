/**
 * A function that one module provides and others may use if the module is loaded. The key carries the type.
 */
export interface OptionalFunction<F extends (...args: never[]) => unknown> {
  readonly name: string
  /** Never present; carries the type only. */
  readonly type?: F
}

/** Names an optional function and its type. */
export function optionalFunction<F extends (...args: never[]) => unknown>(name: string): OptionalFunction<F> {
  return { name }
}

export interface OptionalFunctions {
  offer<F extends (...args: never[]) => unknown>(key: OptionalFunction<F>, fn: F): void
  get<F extends (...args: never[]) => unknown>(key: OptionalFunction<F>): F | undefined
}
