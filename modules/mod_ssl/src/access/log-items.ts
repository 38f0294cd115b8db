import type { LogItemMaker, LogItemSubject, Request } from '@gatewright/api'
import { escapeLogItem } from '@gatewright/api/text'

/** The old names of `%{NAME}c`; others have no value. */
const OLD_NAMES: ReadonlyMap<string, string> = new Map([
  ['version', 'SSL_PROTOCOL'],
  ['cipher', 'SSL_CIPHER'],
  ['subjectdn', 'SSL_CLIENT_S_DN'],
  ['issuerdn', 'SSL_CLIENT_I_DN'],
])

/** Adds `%{NAME}x` and `%{NAME}c` to LogFormat. */
export function addLogItems(
  register: (letter: string, make: LogItemMaker, subject?: LogItemSubject) => void,
  lookUp: (request: Request, name: string) => string,
): void {
  const item = (request: Request, name: string): string | null => {
    const value = lookUp(request, name)
    return value === '' ? null : escapeLogItem(value)
  }
  register('x', (name) => (request) => item(request, name))
  register('c', (oldName) => {
    const name = OLD_NAMES.get(oldName)
    return (request) => (name === undefined ? null : item(request, name))
  })
}
