import type { HookOrder } from './hooks.ts'

/**
 * A hook that one module runs and to which others add functions, regardless of whether it is loaded (httpd's
 * optional hooks). The key carries the type.
 * @since 2.4.4
 */
export interface OptionalHook<F extends (...args: never[]) => unknown> {
  /** `module:hook`, so that two modules do not choose the same name by chance. */
  readonly name: string
  /** Never present; carries the type only. */
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
 * Hooks that modules define for each other.
 * @since 2.4.4
 */
export interface OptionalHooks {
  /**
   * Adds a function, which has no effect if no module runs the hook. Call this while the module registers
   * itself.
   */
  add<F extends (...args: never[]) => unknown>(hook: OptionalHook<F>, fn: F, order?: HookOrder): void
  /**
   * The functions of a hook in their order, for the module that runs it. Call this from checkConfig on; it
   * returns the same array each time.
   * @throws Error if `before` and `after` of its functions form a cycle
   */
  of<F extends (...args: never[]) => unknown>(hook: OptionalHook<F>): readonly F[]
}
