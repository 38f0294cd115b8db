import type { ProxyWorkerParameters } from '@gatewright/api'
import { changedStatus } from './worker-status.ts'

/** All parameters, while a configuration is read. */
export type MutableParameters = { -readonly [K in keyof ProxyWorkerParameters]: ProxyWorkerParameters[K] } & {
  route?: string
  redirect?: string
  lbset?: number
  /** In hundredths. */
  loadfactor?: number
  /** The states that the configuration gives it. */
  status: number
}

/** The number at the start of a text as C's `atoi` reads it: 0 without digits. */
export function leadingNumber(text: string): number {
  const found = /^\s*[+-]?\d+/.exec(text)
  return found === null ? 0 : Number(found[0])
}

const UNITS: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1000],
  ['mi', 60_000],
  ['min', 60_000],
  ['h', 3_600_000],
])

/** A time with an optional unit, in milliseconds; null for another text. */
export function timeWithUnit(text: string, standardUnit: number): number | null {
  const found = /^(-?\d+)([A-Za-z]*)$/.exec(text)
  if (found === null) return null
  const unit = found[2] === '' ? standardUnit : UNITS.get(found[2].toLowerCase())
  return unit === undefined ? null : Number(found[1]) * unit
}

/** What {@link setWorkerParameter} returns for a name that it does not know. */
export const UNKNOWN_PARAMETER = 'unknown Worker parameter'

const LONGEST_TIME_TO_LIVE = 2_147_483_647
const WRONG_TIME_TO_LIVE = `AddressTTL must be -1 or a number of seconds not exceeding (${LONGEST_TIME_TO_LIVE})`

/** Whole seconds, -1 for always, or nothing. */
function isTimeToLive(value: string): boolean {
  if (value === '' || value === '-1') return true
  const time = timeWithUnit(value, 1000)
  return time !== null && time >= 0 && time % 1000 === 0 && time / 1000 <= LONGEST_TIME_TO_LIVE
}

type Setter = (worker: MutableParameters, value: string) => string | undefined

const onOff =
  (name: string, act: (worker: MutableParameters, on: boolean) => void): Setter =>
  (worker, value) => {
    if (!/^(?:on|off)$/i.test(value)) return `${name} must be On|Off`
    act(worker, /^on$/i.test(value))
    return undefined
  }

const positive =
  (message: string, key: 'max' | 'min' | 'smax'): Setter =>
  (worker, value) => {
    const number = leadingNumber(value)
    if (number < 0) return message
    worker[key] = number
    return undefined
  }

const size =
  (message: string, act: (worker: MutableParameters, bytes: number) => void): Setter =>
  (worker, value) => {
    const bytes = leadingNumber(value)
    if (bytes < 512 && bytes !== 0) return message
    act(worker, bytes)
    return undefined
  }

const text =
  (key: 'upgrade' | 'secret' | 'route' | 'redirect', limit: number, message: string): Setter =>
  (worker, value) => {
    if (value.length >= limit) return message
    worker[key] = value
    return undefined
  }

/** The setters by the names of their parameters. */
const SETTERS: ReadonlyMap<string, Setter> = new Map<string, Setter>([
  [
    'loadfactor',
    (worker, value) => {
      const factor = Math.trunc(Number.parseFloat(value) * 100)
      if (!(factor >= 100 && factor <= 10_000)) return 'LoadFactor must be a number between 1..100'
      worker.loadfactor = factor
      return undefined
    },
  ],
  [
    'retry',
    (worker, value) => {
      const seconds = leadingNumber(value)
      if (seconds < 0) return 'Retry must be a positive value'
      worker.retry = seconds * 1000
      return undefined
    },
  ],
  [
    'ttl',
    (worker, value) => {
      const seconds = leadingNumber(value)
      if (seconds < 1) return 'TTL must be at least one second'
      worker.ttl = seconds * 1000
      return undefined
    },
  ],
  ['min', positive('Min must be a positive number', 'min')],
  ['max', positive('Max must be a positive number', 'max')],
  ['smax', positive('Smax must be a positive number', 'smax')],
  [
    'acquire',
    (worker, value) => {
      const time = timeWithUnit(value, 1)
      if (time === null) return 'Acquire timeout has wrong format'
      if (time < 1) return 'Acquire must be at least one millisecond'
      worker.acquire = time
      return undefined
    },
  ],
  [
    'timeout',
    (worker, value) => {
      const seconds = leadingNumber(value)
      if (seconds < 1) return 'Timeout must be at least one second'
      worker.timeout = seconds * 1000
      return undefined
    },
  ],
  [
    'iobuffersize',
    size('IOBufferSize must be >= 512 bytes, or 0 for system default.', (worker, bytes) => void (worker.iobuffersize = bytes)),
  ],
  ['receivebuffersize', size('ReceiveBufferSize must be >= 512 bytes, or 0 for system default.', () => {})],
  ['keepalive', onOff('KeepAlive', (worker, on) => void (worker.keepalive = on))],
  ['disablereuse', onOff('DisableReuse', (worker, on) => void (worker.reuse = !on))],
  ['enablereuse', onOff('EnableReuse', (worker, on) => void (worker.reuse = on))],
  ['route', text('route', 64, 'Route length must be < 64 characters')],
  ['redirect', text('redirect', 64, 'Redirect length must be < 64 characters')],
  [
    'status',
    (worker, value) => {
      const status = changedStatus(worker.status, value)
      if (status === undefined) return 'Unknown status parameter option'
      worker.status = status
      return undefined
    },
  ],
  [
    'flushpackets',
    (worker, value) => {
      const word = value.toLowerCase()
      if (word !== 'on' && word !== 'off' && word !== 'auto') return 'flushpackets must be on|off|auto'
      worker.flushpackets = word
      return undefined
    },
  ],
  [
    'flushwait',
    (_worker, value) => {
      const wait = leadingNumber(value)
      return wait > 1000 || wait < 0 ? 'flushwait must be <= 1000, or 0 for system default of 10 millseconds.' : undefined
    },
  ],
  [
    'ping',
    (worker, value) => {
      const time = value === '' ? 0 : timeWithUnit(value, 1000)
      if (time === null || time < 0) return 'Ping/Pong timeout has wrong format'
      if (time < 1) return 'Ping/Pong timeout must be at least one millisecond'
      worker.ping = time
      return undefined
    },
  ],
  [
    'lbset',
    (worker, value) => {
      const set = leadingNumber(value)
      if (set < 0 || set > 99) return 'lbset must be between 0 and 99'
      worker.lbset = set
      return undefined
    },
  ],
  [
    'connectiontimeout',
    (worker, value) => {
      const time = timeWithUnit(value, 1000)
      if (time === null) return 'Connectiontimeout has wrong format'
      if (time < 1) return 'Connectiontimeout must be at least one millisecond.'
      worker.connectiontimeout = time
      return undefined
    },
  ],
  ['flusher', () => undefined],
  ['upgrade', text('upgrade', 32, 'upgrade protocol length must be < 32 characters')],
  [
    'responsefieldsize',
    (worker, value) => {
      const bytes = leadingNumber(value)
      if (bytes < 0) return 'ResponseFieldSize must be greater than 0 bytes, or 0 for system default.'
      worker.responsefieldsize = bytes === 0 ? 8192 : bytes
      return undefined
    },
  ],
  ['secret', text('secret', 64, 'Secret length must be < 64 characters')],
  ['addressttl', (_worker, value) => (isTimeToLive(value) ? undefined : WRONG_TIME_TO_LIVE)],
])

/**
 * Sets one parameter of a worker.
 * @returns what is wrong with it
 */
export function setWorkerParameter(worker: MutableParameters, name: string, value: string): string | undefined {
  const setter = SETTERS.get(name.toLowerCase())
  return setter === undefined ? UNKNOWN_PARAMETER : setter(worker, value)
}
