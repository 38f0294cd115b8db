import type { DirectivePlace, Server } from '@gatewright/api'

/** The options of a process group that are numbers, with their defaults: times in seconds, sizes in bytes, 0 for no limit. */
export const NUMBERS = {
  processes: 1,
  threads: 15,
  'maximum-requests': 0,
  'request-timeout': 0,
  'inactivity-timeout': 0,
  'graceful-timeout': 15,
  'shutdown-timeout': 5,
  'deadlock-timeout': 300,
  'startup-timeout': 0,
  'queue-timeout': 0,
  'connect-timeout': 15,
  'socket-timeout': 0,
  'response-socket-timeout': 0,
  'listen-backlog': 100,
  'cpu-time-limit': 0,
  'cpu-priority': 0,
  'memory-limit': 0,
  'virtual-memory-limit': 0,
  'header-buffer-size': 0,
} as const

export type NumberOption = keyof typeof NUMBERS

/** A WSGIDaemonProcess line, or the group of applications without one, whose name is empty. */
export interface DaemonGroup {
  readonly name: string
  /** Where it is defined: a group of a virtual host is for that host name only. */
  readonly server: Server
  /** Null for the group without name. */
  readonly place: DirectivePlace | null
  readonly numbers: Readonly<Record<NumberOption, number>>
  /** Whether applications learn that there are other processes. */
  readonly multiprocess: boolean
  readonly displayName: string | null
  readonly user: string | null
  readonly group: string | null
  readonly supplementaryGroups: readonly string[] | null
  /** Octal in the line. */
  readonly umask: number | null
  readonly home: string | null
  readonly chroot: string | null
  readonly pythonHome: string | null
  readonly pythonPath: readonly string[]
  readonly pythonEggs: string | null
  readonly lang: string | null
  readonly locale: string | null
}

/** The group without name, where applications run that have no process group: with what other groups have by default. */
export const EMBEDDED = ''

/** A group with what a line without options sets. */
export function newDaemonGroup(name: string, server: Server, place: DirectivePlace | null): DaemonGroup {
  return {
    name,
    server,
    place,
    numbers: NUMBERS,
    multiprocess: false,
    displayName: null,
    user: null,
    group: null,
    supplementaryGroups: null,
    umask: null,
    home: null,
    chroot: null,
    pythonHome: null,
    pythonPath: [],
    pythonEggs: null,
    lang: null,
    locale: null,
  }
}
