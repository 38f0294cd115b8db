import type { Who, WhoRow } from '../who-table.ts'
import type { Palette } from './palette.ts'
import { visible } from './visible.ts'

/** A table: users with the same answers share a row. */
export function whoText(reported: Who, palette: Palette): string {
  const { method, target, clients, rows } = visible(reported)
  const groups = new Map<string, { readonly names: string[]; readonly row: WhoRow }>()
  for (const row of rows) {
    const key = `${row.user === null}${row.answers.map(({ status }) => status).join()}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { names: [nameOf(row)], row })
    else group.names.push(nameOf(row))
  }
  const shown = [...groups.values()].map(({ names, row }) => ({ name: listed(names), row }))
  const left = Math.max(...shown.map(({ name }) => name.length), 0)
  const heads = clients.map(clientName)
  const line = (name: string, cells: readonly string[]): string =>
    `${name.padEnd(left)}  ${cells.map((cell, index) => cell.padEnd(heads[index]?.length ?? 0)).join('  ')}`.trimEnd()
  return [
    palette.strong(`${method} ${target}`),
    line('', heads),
    ...shown.map(({ name, row }) => {
      const plain = line(
        name,
        row.answers.map(({ status }) => String(status)),
      )
      return row.answers.every(({ access }) => access === 'granted')
        ? palette.good(plain)
        : row.answers.some(({ access }) => access === 'granted')
          ? palette.waiting(plain)
          : plain
    }),
  ].join('\n')
}

const MOST_NAMES = 6

function listed(names: readonly string[]): string {
  const more = names.length - MOST_NAMES
  return `${names.slice(0, MOST_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function nameOf({ user }: WhoRow): string {
  return user ?? 'without credentials'
}

function clientName(address: string): string {
  if (address === '192.0.2.1' || address === '2001:db8::1') return `any other (${address})`
  return address === '127.0.0.1' || address === '::1' ? `this machine (${address})` : address
}
