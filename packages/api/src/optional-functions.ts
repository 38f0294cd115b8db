/**
 * A function that one module offers and others may use when it is there (httpd's optional functions). The key
 * carries the type; keys that modules of this server share are declared here, a third party declares its own.
 */
export interface OptionalFunction<F extends (...args: never[]) => unknown> {
  /** `module:function`, so that two modules do not choose the same by chance. */
  readonly name: string
  /**
   * Version of the function's contract; absent for 0.
   * @since 2.4.4
   */
  readonly version?: number
  /** Never present: carries the type only. */
  readonly type?: F
}

/**
 * Names an optional function and its type.
 * @param name `module:function`
 * @param version since API 2.4.4: another one makes another function. Raise it when the meaning changes, so
 * that a module built for the former one finds nothing rather than something else.
 */
export function optionalFunction<F extends (...args: never[]) => unknown>(name: string, version?: number): OptionalFunction<F> {
  return version === undefined ? { name } : { name, version }
}

/** Functions that modules offer each other. A caller must work without them: the module may not be loaded. */
export interface OptionalFunctions {
  /**
   * Offers a function to all modules.
   * @throws Error when another module offers the same function
   */
  offer<F extends (...args: never[]) => unknown>(key: OptionalFunction<F>, fn: F): void
  /**
   * Undefined when no loaded module offers it. Look up when it is used, or in postConfig: modules load in any
   * order.
   */
  get<F extends (...args: never[]) => unknown>(key: OptionalFunction<F>): F | undefined
}
