/** A count with the name of what is counted: `1 folder`, `2 folders`. */
export function counted(count: number, one: string, many: string = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
