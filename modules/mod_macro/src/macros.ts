/** Lines with a name and parameters. */
export interface Macro {
  /** In lower case. */
  readonly name: string
  readonly parameters: readonly string[]
  readonly lines: readonly string[]
  /** `defined on line N of "FILE"` */
  readonly location: string
}

/** The macros defined so far, by name. */
export interface Macros {
  /** undefined until the first definition. */
  known?: Map<string, Macro>
  ignoreBadNesting: boolean
  ignoreEmptyArguments: boolean
}

export function createMacros(): Macros {
  return { ignoreBadNesting: false, ignoreEmptyArguments: false }
}

/** The name of a macro in messages. */
export function titleOf({ name, location }: Pick<Macro, 'name' | 'location'>): string {
  return `macro '${name}' (${location})`
}
