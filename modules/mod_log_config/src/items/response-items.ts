import type { LogItem } from '@gatewright/api'
import type { ItemDefinition } from '../compile-format.ts'

/** The response and log identifiers: `%s %b %B %L`. */
export const responseItems: readonly (readonly [string, ItemDefinition])[] = [
  [
    's',
    {
      make:
        () =>
        ({ status }) =>
          status > 0 ? String(status) : null,
      subject: 'original',
    },
  ],
  [
    'b',
    {
      make:
        () =>
        (_request, { bodyBytesSent }) =>
          bodyBytesSent > 0 ? String(bodyBytesSent) : null,
      subject: 'final',
    },
  ],
  [
    'B',
    {
      make:
        () =>
        (_request, { bodyBytesSent }) =>
          String(bodyBytesSent),
      subject: 'final',
    },
  ],
  ['L', { make: (argument) => (argument === 'c' ? connectionLogId : requestLogId), subject: 'original' }],
]

const requestLogId: LogItem = (_request, { logId }) => logId
const connectionLogId: LogItem = (_request, { connectionLogId: id }) => id
