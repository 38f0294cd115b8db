import type { DatabaseRows, Request } from '@gatewright/api'

/** The first value of the first row that has one. The further columns of the rows up to it become variables; NULL removes one. */
export function takeFirst(request: Request, { columns, rows }: DatabaseRows): string | null {
  for (const row of rows) {
    for (let index = 1; index < row.length; index++) {
      const value = row[index]
      const name = variableName(columns[index] ?? '')
      if (typeof value === 'string') request.env.set(name, value)
      else request.env.unset(name)
    }
    if (typeof row[0] === 'string') return row[0]
  }
  return null
}

/** `AUTHENTICATE_` and the column in capitals, with an underscore for everything but letters and digits. */
export function variableName(column: string): string {
  return `AUTHENTICATE_${column.replaceAll(/[^A-Za-z0-9]/g, '_').toUpperCase()}`
}
