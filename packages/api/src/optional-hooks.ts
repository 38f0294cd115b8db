import type { HookOrder } from './hooks.ts'

/**
 * A hook that one module runs and others hang functions in, whether it is loaded or not (httpd's optional
 * hooks). The key carries the type.
 * @since 2.4.4
 */
export interface OptionalHook<F extends (...args: never[]) => unknown> {
  /** `module:hook`, so that two modules do not choose the same by chance. */
  readonly name: string
  /** Never present: carries the type only. */
  readonly type?: F
}

/**
 * Names an optional hook and the type of its functions.
 * @param name `module:hook`
 * @since 2.4.4
 */
export function optionalHook<F extends (...args: never[]) => unknown>(name: string): OptionalHook<F> {
  return { name }
}

/**
 * Hooks that modules have for each other.
 * @since 2.4.4
 */
export interface OptionalHooks {
  /**
   * Adds a function; it has no effect if no module runs the hook. To be called while the module registers
   * itself.
   */
  add<F extends (...args: never[]) => unknown>(hook: OptionalHook<F>, fn: F, order?: HookOrder): void
  /**
   * The functions of a hook in their order, for the module that runs it. To be called from checkConfig on;
   * the same array each time.
   * @throws Error when `before` and `after` of its functions make a circle
   */
  of<F extends (...args: never[]) => unknown>(hook: OptionalHook<F>): readonly F[]
}
