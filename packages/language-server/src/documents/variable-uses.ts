/** A use `${NAME}` of a variable in a line; the position is that of its name. */
export interface VariableUse {
  readonly name: string
  readonly start: number
}

/**
 * The uses of variables in a line, as the server reads them: a name ends at the first brace, and one with a colon, such as
 * `${map:key}` of mod_rewrite, is that of no variable.
 */
export function variableUses(text: string): VariableUse[] {
  return [...text.matchAll(/\$\{([^}]+)\}/g)]
    .filter(({ 1: name }) => !name.includes(':'))
    .map(({ index, 1: name }) => ({ name, start: index + 2 }))
}
