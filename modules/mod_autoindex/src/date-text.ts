import { compileStrftime, type TimeFormatter } from '@gatewright/api/text'
import type { DateFormat } from './index-options.ts'

/** Local time without seconds. */
export function dateText(ms: number, format: DateFormat = 'sortable'): string {
  return FORMATTERS[format](ms)
}

const FORMATTERS: Readonly<Record<DateFormat, TimeFormatter>> = {
  sortable: compileStrftime('%Y-%m-%d %H:%M', 'local'),
  old: compileStrftime('%d-%b-%Y %H:%M', 'local'),
}
