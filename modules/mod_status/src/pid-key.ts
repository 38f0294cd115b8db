import type { ServerStatus } from '@gatewright/api/status'
import { places } from './scoreboard.ts'

/** Without extended data: the process of each letter of the scoreboard, three per line. */
export function pidKey(status: ServerStatus): string {
  let text = 'PID Key: <br />\n<pre>\n'
  let inRow = 0
  for (const { letter, worker } of places(status)) {
    if (worker === null || letter === '.') continue
    inRow = (inRow + 1) % 3
    text += `   ${worker.pid} in state: ${letter} ${inRow === 0 ? '\n' : ','}`
  }
  return `${text}\n</pre>\n<hr />To list individual requests here, set <code>ExtendedStatus On</code>.\n`
}
