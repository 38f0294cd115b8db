/**
 * Names what a container hands to the directives inside it, and its type: see {@link Command.walkWith}.
 * @since 2.4.6
 */
export interface ContainerKey<T> {
  /** `module:container`; modules that share a key have it from the same declaration. */
  readonly name: string
  /** Never present; carries the type only. */
  readonly type?: (value: T) => T
}

/**
 * Makes the key of a container.
 * @param name `module:container`
 * @since 2.4.6
 */
export function containerKey<T>(name: string): ContainerKey<T> {
  return { name }
}
