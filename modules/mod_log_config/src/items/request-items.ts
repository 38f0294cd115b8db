import { escapeLogItem, type LogItem } from '@gatewright/api'
import type { ItemDefinition } from '../compile-format.ts'

/** What was asked for: `%r %m %U %q %H %f %u %R`. */
export const requestItems: readonly (readonly [string, ItemDefinition])[] = [
  ['r', { make: () => requestLine, subject: 'original' }],
  ['m', { make: () => (request) => escapeLogItem(request.method), subject: 'final' }],
  ['U', { make: () => (request) => escapeLogItem(request.uri), subject: 'original' }],
  ['q', { make: () => (request) => (request.args === null ? '' : `?${escapeLogItem(request.args)}`), subject: 'final' }],
  ['H', { make: () => (request) => escapeLogItem(request.protocol), subject: 'final' }],
  ['f', { make: () => (request) => (request.filename === '' ? null : escapeLogItem(request.filename)), subject: 'final' }],
  ['u', { make: () => userName, subject: 'final' }],
  ['R', { make: () => (request) => (request.handler === null ? null : escapeLogItem(request.handler)), subject: 'original' }],
]

const requestLine: LogItem = ({ requestLine: line }) => {
  if (line === '') return null
  return escapeLogItem(line.includes('@') ? line.replace(PASSWORD, '$1:XXXXXXXX@') : line)
}

/** User name and password before the host of an absolute target; the password ends at the last `@`. */
const PASSWORD = /^(\S+ +[a-z][a-z0-9+.-]*:\/\/[^\s/?#:@]*):[^\s/?#]*@/i

const userName: LogItem = ({ user }) => (user === null ? null : user === '' ? '""' : escapeLogItem(user))
