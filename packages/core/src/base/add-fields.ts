import type { Table } from '@gatewright/api'

/** Adds fields to a table, after those of the same names that it has. */
export function addFields(to: Table, fields: Iterable<readonly [name: string, value: string]>): void {
  for (const [name, value] of fields) to.add(name, value)
}
