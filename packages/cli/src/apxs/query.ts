import type { ApxsConsole } from './console.ts'
import { ApxsFailure } from './failure.ts'
import type { Installation } from './installation.ts'
import { queryValue } from './query-value.ts'

/** `apxs -q NAME ...`: the values, joined by two semicolons. */
export function answerQuery({ vars }: Installation, names: readonly string[], console: ApxsConsole): void {
  const values = names.map((name) => {
    const value = queryValue(vars, name)
    if (value === undefined) throw new ApxsFailure(`Invalid query string \`${name}'`, 'apxs -q -v prints all names and values')
    return value
  })
  console.out(values.join(';;'))
}

/** `apxs -q`: everything, as NAME=value in the order of the file, or aligned and sorted by name. */
export function printAll({ vars }: Installation, style: 'plain' | 'aligned', console: ApxsConsole): void {
  if (style === 'plain') {
    for (const [name, value] of vars) console.out(`${name}=${value}`)
    return
  }
  const width = Math.max(...Array.from(vars.keys(), (name) => name.length))
  const sorted = [...vars].sort(([one], [other]) => compare(one.toUpperCase(), other.toUpperCase()))
  for (const [name, value] of sorted) console.out(`${name.padEnd(width)} = ${value}`)
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
