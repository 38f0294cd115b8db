import { strftime } from '@gatewright/api'
import type { DateFormat } from './index-options.ts'

/** Local time without seconds. */
export function dateText(ms: number, format: DateFormat = 'sortable'): string {
  return strftime(format === 'sortable' ? '%Y-%m-%d %H:%M' : '%d-%b-%Y %H:%M', ms)
}
