import { sizeText } from '@gatewright/api/text'
import type { Palette } from '@gatewright/policy'
import type { BalancerAnswer, ShownBalancer, ShownMember } from './balancer-answer.ts'

interface Column {
  readonly title: string
  readonly isNumber: boolean
  of(member: ShownMember): string
}

const COLUMNS: readonly Column[] = [
  { title: 'MEMBER', isNumber: false, of: ({ name }) => name },
  { title: 'ROUTE', isNumber: false, of: ({ route }) => route || '-' },
  { title: 'FACTOR', isNumber: true, of: ({ loadfactor }) => loadfactor.toFixed(2) },
  { title: 'SET', isNumber: true, of: ({ lbset }) => String(lbset) },
  { title: 'BUSY', isNumber: true, of: ({ busy }) => String(busy) },
  { title: 'ELECTED', isNumber: true, of: ({ elected }) => String(elected) },
  { title: 'SENT', isNumber: true, of: ({ sent }) => sizeText(sent).trim() },
  { title: 'RECEIVED', isNumber: true, of: ({ received }) => sizeText(received).trim() },
  { title: 'STATE', isNumber: false, of: stateText },
]

/** Balancers as tables for people: one row for each member. */
export function balancerText({ balancers, notes }: BalancerAnswer, palette: Palette): string {
  const tables = balancers.map((balancer) => tableOf(balancer, palette))
  const shown = tables.length === 0 ? ['the configuration has no balancers'] : tables
  return [...shown, ...notes.map((note) => palette.waiting(`note: ${note}`))].join('\n\n')
}

function tableOf({ name, server, lbmethod, members }: ShownBalancer, palette: Palette): string {
  const title = `${palette.strong(name)} of ${server}, ${lbmethod}`
  if (members.length === 0) return `${title}\n  no members`
  const rows = members.map((member) => COLUMNS.map(({ of }) => of(member)))
  const widths = COLUMNS.map(({ title: head }, index) => Math.max(head.length, ...rows.map((row) => row[index].length)))
  const line = (cells: readonly string[]): string =>
    `  ${cells.map((cell, index) => (COLUMNS[index].isNumber ? cell.padStart(widths[index]) : cell.padEnd(widths[index]))).join('  ')}`.trimEnd()
  const heads = palette.faint(line(COLUMNS.map(({ title: head }) => head)))
  return [title, heads, ...members.map((member, index) => coloured(member, line(rows[index]), palette))].join('\n')
}

/** The states in words: `inError` is `in error`. */
function stateText({ states }: ShownMember): string {
  return states.length === 0
    ? 'ok'
    : states.map((state) => state.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)).join(', ')
}

function coloured({ states, usable }: ShownMember, line: string, palette: Palette): string {
  if (states.includes('inError') || states.includes('failsChecks')) return palette.bad(line)
  return usable && !states.includes('draining') ? line : palette.waiting(line)
}
