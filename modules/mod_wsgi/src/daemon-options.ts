import type { Problem, SetResult } from '@gatewright/api'
import { leadingInteger } from '@gatewright/api/text'
import { type DaemonGroup, NUMBERS, type NumberOption } from './daemon-group.ts'

/** A group while its line is read. */
export type MutableGroup = { -readonly [K in keyof DaemonGroup]: DaemonGroup[K] }

/** More processes of a group, or threads of a process, are a slip of the pen. */
const MOST = 1000

/** Reads one option. Returns what is wrong with it. */
type OptionReader = (group: MutableGroup, value: string) => SetResult

/** What messages of mod_wsgi call the numbers, and the least that they may be; null: the text is of its own. */
const RULES: Readonly<Record<NumberOption, { readonly least: number; readonly fault: string }>> = {
  processes: { least: 1, fault: 'Invalid process count for WSGI daemon process.' },
  threads: { least: 0, fault: 'Invalid thread count for WSGI daemon process.' },
  'maximum-requests': { least: 0, fault: 'Invalid request count for WSGI daemon process.' },
  'request-timeout': { least: 0, fault: 'Invalid request timeout for WSGI daemon process.' },
  'inactivity-timeout': { least: 0, fault: 'Invalid inactivity timeout for WSGI daemon process.' },
  'graceful-timeout': { least: 0, fault: 'Invalid graceful timeout for WSGI daemon process.' },
  'shutdown-timeout': { least: 0, fault: 'Invalid shutdown timeout for WSGI daemon process.' },
  'deadlock-timeout': { least: 0, fault: 'Invalid deadlock timeout for WSGI daemon process.' },
  'startup-timeout': { least: 0, fault: 'Invalid startup timeout for WSGI daemon process.' },
  'queue-timeout': { least: 0, fault: 'Invalid queue timeout for WSGI daemon process.' },
  'connect-timeout': { least: 0, fault: 'Invalid connect timeout for WSGI daemon process.' },
  'socket-timeout': { least: 0, fault: 'Invalid socket timeout for WSGI daemon process.' },
  'response-socket-timeout': { least: 0, fault: 'Invalid response socket timeout for WSGI daemon process.' },
  'listen-backlog': { least: 0, fault: 'Invalid listen backlog for WSGI daemon process.' },
  'cpu-time-limit': { least: 0, fault: 'Invalid CPU time limit for WSGI daemon process.' },
  'cpu-priority': { least: Number.NEGATIVE_INFINITY, fault: '' },
  'memory-limit': { least: 0, fault: 'Invalid memory limit for WSGI daemon process.' },
  'virtual-memory-limit': { least: 0, fault: 'Invalid virtual memory limit for WSGI daemon process.' },
  'header-buffer-size': { least: 0, fault: 'Header buffer size must be >= 8192 bytes, or 0 for default.' },
}

/** Options about sockets and buffers of mod_wsgi that have no counterpart here, and the least that they may be. */
const BUFFERS: Readonly<Record<string, { readonly least: number; readonly fault: string }>> = {
  'send-buffer-size': { least: 512, fault: 'Send buffer size must be >= 512 bytes, or 0 for system default.' },
  'receive-buffer-size': { least: 512, fault: 'Receive buffer size must be >= 512 bytes, or 0 for system default.' },
  'response-buffer-size': { least: 65_536, fault: 'Response buffer size must be >= 65536 bytes, or 0 for default.' },
}

const OPTIONS: Readonly<Record<string, OptionReader>> = {
  user: (group, value) => void (group.user = value),
  group: (group, value) => void (group.group = value),
  'supplementary-groups': (group, value) => void (group.supplementaryGroups = value.split(',').filter((name) => name !== '')),
  umask: (group, value) => {
    if (!/^[0-7]+$/.test(value)) return 'Invalid umask for WSGI daemon process.'
    group.umask = Number.parseInt(value, 8)
    return undefined
  },
  home: (group, value) => {
    if (!value.startsWith('/')) return 'Invalid home directory for WSGI daemon process.'
    group.home = value
    return undefined
  },
  chroot: (group, value) => {
    if (!value.startsWith('/')) return 'Invalid chroot directory for WSGI daemon process.'
    group.chroot = value
    return undefined
  },
  'display-name': (group, value) => void (group.displayName = value === '%{GROUP}' ? `(wsgi:${group.name})` : value),
  'python-home': (group, value) => void (group.pythonHome = value),
  'python-path': (group, value) => void (group.pythonPath = value.split(':').filter((path) => path !== '')),
  'python-eggs': (group, value) => void (group.pythonEggs = value),
  lang: (group, value) => void (group.lang = value),
  locale: (group, value) => void (group.locale = value),
  'eviction-timeout': (_group, value) =>
    leadingInteger(value) < 0 ? 'Invalid eviction timeout for WSGI daemon process.' : undefined,
  'restart-interval': (_group, value) =>
    leadingInteger(value) < 0
      ? 'Invalid restart interval for WSGI daemon process.'
      : leadingInteger(value) === 0
        ? undefined
        : unavailable('restart-interval', 'use maximum-requests or inactivity-timeout'),
  'stack-size': (_group, value) => (leadingInteger(value) <= 0 ? 'Invalid stack size for WSGI daemon process.' : undefined),
  'server-metrics': (_group, value) =>
    /^o(?:n|ff)$/i.test(value) ? undefined : 'Invalid server metrics flag for WSGI daemon process.',
  'script-user': () => unavailable('script-user', 'set the permissions of the script'),
  'script-group': () => unavailable('script-group', 'set the permissions of the script'),
  // The sockets are in a folder of the server: nobody else reaches them.
  'socket-user': () => undefined,
}

function unavailable(option: string, hint: string): Problem {
  return { message: `The option ${option} of WSGIDaemonProcess is not available in this server`, hint }
}

/** Reads one `NAME=VALUE` of a WSGIDaemonProcess line. */
export function readDaemonOption(group: MutableGroup, word: string): SetResult {
  const equals = word.indexOf('=')
  const name = word.slice(0, equals)
  const value = word.slice(equals + 1)
  if (equals < 0) return 'Invalid option to WSGI daemon process definition.'
  if (isNumberOption(name)) return readNumber(group, name, value)
  const buffer = BUFFERS[name]
  if (buffer !== undefined) {
    const size = leadingInteger(value)
    return size !== 0 && size < buffer.least ? buffer.fault : undefined
  }
  const read = Object.hasOwn(OPTIONS, name) ? OPTIONS[name] : undefined
  return read === undefined ? 'Invalid option to WSGI daemon process definition.' : read(group, value)
}

function readNumber(group: MutableGroup, name: NumberOption, value: string): SetResult {
  const { least, fault } = RULES[name]
  const number = leadingInteger(value)
  if ((name === 'processes' || name === 'threads') && number > MOST) return { message: fault, hint: `write at most ${MOST}` }
  if (number < least || (name === 'header-buffer-size' && number !== 0 && number < 8192)) return fault
  group.numbers = { ...group.numbers, [name]: name === 'threads' ? Math.max(1, number) : number }
  // As in mod_wsgi, a stated number of processes means several, also if it is 1.
  if (name === 'processes') group.multiprocess = true
  return undefined
}

function isNumberOption(name: string): name is NumberOption {
  return Object.hasOwn(NUMBERS, name)
}
