import type { LogItem } from '@gatewright/api'
import { escapeLogItem } from '@gatewright/api/text'
import type { ItemDefinition } from '../compile-format.ts'
import { withoutPassword } from '../without-password.ts'

/** The request and what it maps to: `%r %m %U %q %H %f %u %R`. */
export const requestItems: readonly (readonly [string, ItemDefinition])[] = [
  ['r', { make: () => requestLine, subject: 'original' }],
  ['m', { make: () => (request) => read(request.method), subject: 'final' }],
  ['U', { make: () => (request) => read(request.uri), subject: 'original' }],
  ['q', { make: () => (request) => (request.args === null ? '' : `?${escapeLogItem(request.args)}`), subject: 'final' }],
  ['H', { make: () => (request) => read(request.protocol) ?? UNREAD_PROTOCOL, subject: 'final' }],
  ['f', { make: () => (request) => (request.filename === '' ? null : escapeLogItem(request.filename)), subject: 'final' }],
  ['u', { make: () => userName, subject: 'final' }],
  ['R', { make: () => (request) => (request.handler === null ? null : escapeLogItem(request.handler)), subject: 'original' }],
]

/** httpd's protocol for a request without a request line. */
const UNREAD_PROTOCOL = 'HTTP/1.0'

/** A part of the request line; null if it was not parsed. */
function read(value: string): string | null {
  return value === '' ? null : escapeLogItem(value)
}

const requestLine: LogItem = ({ requestLine: line }) => {
  return line === '' ? null : escapeLogItem(withoutPassword(line))
}

const userName: LogItem = ({ user }) => (user === null ? null : user === '' ? '""' : escapeLogItem(user))
