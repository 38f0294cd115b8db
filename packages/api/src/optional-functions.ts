/**
 * A function that one module provides and others may use if the module is loaded (httpd's optional
 * functions). The key carries the type. Keys that modules of this server share are declared here; a third
 * party declares its own.
 */
export interface OptionalFunction<F extends (...args: never[]) => unknown> {
  /** `module:function`, so that two modules do not choose the same name by chance. */
  readonly name: string
  /**
   * Version of the function's contract; 0 if absent.
   * @since 2.4.4
   */
  readonly version?: number
  /** Never present; carries the type only. */
  readonly type?: F
}

/**
 * Names an optional function and its type.
 * @param name `module:function`
 * @param version since API 2.4.4: different versions are different functions. Raise it when the meaning
 *   changes, so that a module built for the former meaning does not find the function.
 */
export function optionalFunction<F extends (...args: never[]) => unknown>(name: string, version?: number): OptionalFunction<F> {
  return version === undefined ? { name } : { name, version }
}

/**
 * Functions that modules provide to each other. A caller must work without them, because the module may not
 * be loaded.
 */
export interface OptionalFunctions {
  /**
   * Provides a function to all modules.
   * @throws Error if another module provides the same function
   */
  offer<F extends (...args: never[]) => unknown>(key: OptionalFunction<F>, fn: F): void
  /**
   * Undefined if no loaded module provides it. Look it up when it is used, or in postConfig: modules load in
   * any order.
   */
  get<F extends (...args: never[]) => unknown>(key: OptionalFunction<F>): F | undefined
}
