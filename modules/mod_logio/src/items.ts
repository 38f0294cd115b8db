import type { LogItem, LogItemMaker, OptionalFunctions, Request } from '@gatewright/api'
import { trafficOf } from '@gatewright/api/peers'

/** Number of bytes in an exchange. */
interface Traffic {
  readonly received: number
  readonly sent: number
}

/**
 * Adds `%I`, `%O`, `%S` (bytes received, sent, and both, including heads and framing) and `%^FB` (time to the
 * first byte).
 */
export function addItems(
  register: (letter: string, make: LogItemMaker) => void,
  functions: Pick<OptionalFunctions, 'get'>,
  tracksFirstByte: (request: Request) => boolean,
): void {
  register('I', () => byteItem(functions, received))
  register('O', () => byteItem(functions, sent))
  register('S', () => byteItem(functions, transferred))
  register('^FB', () => firstByteItem(tracksFirstByte))
}

const received = (traffic: Traffic): number => traffic.received
const sent = (traffic: Traffic): number => traffic.sent
const transferred = (traffic: Traffic): number => traffic.received + traffic.sent

/**
 * The host's counter is looked up at the first line, because it may be offered after formats were compiled.
 */
function byteItem(functions: Pick<OptionalFunctions, 'get'>, choose: (traffic: Traffic) => number): LogItem {
  let lookup: ((request: Request) => Traffic) | undefined
  return (request) => {
    lookup ??= functions.get(trafficOf)
    return lookup === undefined ? null : String(choose(lookup(request)))
  }
}

/** In microseconds; `-` if LogIOTrackTTFB is Off, and for error pages. */
function firstByteItem(tracksFirstByte: (request: Request) => boolean): LogItem {
  return (request, { firstByteUs }) => (firstByteUs !== null && tracksFirstByte(request) ? String(firstByteUs) : null)
}
