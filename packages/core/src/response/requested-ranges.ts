import { HTTP_0_9 } from '@gatewright/http'
import type { RequestRecord } from '../model/request-record.ts'
import { divisibleLength } from './bodies/body-of.ts'
import { type ByteRange, ifRangeHolds, selectRanges } from './ranges.ts'

/** The ranges of a body to send; null for the whole body. */
export type RequestedRanges = readonly ByteRange[] | 'unsatisfiable' | null

/** True if the request has a Range header. Few requests have one. */
export function asksForRanges({ headersIn }: RequestRecord): boolean {
  return headersIn.get('range') !== undefined
}

/**
 * The ranges of the response that a client requested. Only successful responses whose handler does not produce
 * ranges itself are cut.
 * @param size of the body, in bytes
 */
export function requestedRanges(request: RequestRecord, size: number): RequestedRanges {
  if (request.status !== 200) return null
  const range = request.headersIn.get('range')
  if (range === undefined || request.version === HTTP_0_9) return null
  const headers = request.existingHeadersOut
  if (headers?.has('Content-Range')) return null
  const ifRange = request.headersIn.get('if-range')
  if (
    ifRange !== undefined &&
    !ifRangeHolds(ifRange, headers?.get('ETag') ?? null, headers?.get('Last-Modified') ?? null, request.receivedAt)
  )
    return null
  const { core } = request.config
  const selected = selectRanges(range, size, {
    maxRanges: core.maxRanges ?? 200,
    maxOverlaps: core.maxRangeOverlaps ?? 20,
    maxReversals: core.maxRangeReversals ?? 20,
  })
  return selected.kind === 'whole' ? null : selected.kind === 'unsatisfiable' ? 'unsatisfiable' : selected.ranges
}

/**
 * True if ranges of the response can be sent but none of the requested ranges is satisfiable: the response is
 * then a 416 error.
 */
export function isRangeRefused(request: RequestRecord): boolean {
  const { body, exchange } = request
  const size = exchange === null || body === null ? null : divisibleLength(body)
  return size !== null && requestedRanges(request, size) === 'unsatisfiable'
}
