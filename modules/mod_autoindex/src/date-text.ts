import { strftime } from '@gatewright/api'
import { OLD_DATE_FORMAT } from './index-options.ts'

/** Local time without seconds: `2020-01-02 03:04`, or `02-Jan-2020 03:04`. */
export function dateText(ms: number, options: number): string {
  return strftime((options & OLD_DATE_FORMAT) === 0 ? '%Y-%m-%d %H:%M' : '%d-%b-%Y %H:%M', ms)
}
