import { parseHttpDate } from '@gatewright/api/text'
import { WEAK_DATE_SECONDS } from './conditions.ts'

/** Bytes `start` to `end`, both included, counted from 0. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** What a Range header asks for. */
export type RangeSelection =
  | { readonly kind: 'whole' }
  | { readonly kind: 'unsatisfiable' }
  | { readonly kind: 'ranges'; readonly ranges: readonly ByteRange[] }

/** A header that exceeds any of these limits is ignored; Infinity for no limit. */
export interface RangeLimits {
  /** MaxRanges: number of ranges after merging. */
  readonly maxRanges: number
  /** MaxRangeOverlaps: number of ranges that were merged with the one before. */
  readonly maxOverlaps: number
  /** MaxRangeReversals: number of ranges that begin before the preceding one. */
  readonly maxReversals: number
}

/**
 * Chooses the parts of a body of `size` bytes. A range that overlaps or touches the one before is merged with
 * it; otherwise ranges keep the order of the request. Empty items are skipped, except at the beginning. If
 * anything is malformed, the body is empty, a limit is exceeded, or the ranges have more bytes than the body,
 * the response is the whole body, which RFC 9110 section 14.2 always allows.
 */
export function selectRanges(header: string | undefined, size: number, limits: RangeLimits): RangeSelection {
  if (header === undefined || size === 0 || !startsWithUnit(header)) return WHOLE
  const merger = new RangeMerger(size)
  let from = UNIT.length
  while (from < header.length) {
    const comma = header.indexOf(',', from)
    const to = comma === -1 ? header.length : comma
    const found = merger.addItem(header, from, to)
    if (found === 'malformed') return WHOLE
    if (found === 'everything') break
    from = to
    while (header.charCodeAt(from) === COMMA) from++
  }
  return merger.finish(limits)
}

/**
 * True if the Range header applies despite this If-Range: for the same strong ETag, or for exactly the date
 * of Last-Modified once that is a strong validator (a minute old).
 *
 * @param ifRange undefined if there is none, which always matches
 * @param lastModified value of the response's Last-Modified, null for none
 * @param nowMs when the request was received
 */
export function ifRangeHolds(
  ifRange: string | undefined,
  etag: string | null,
  lastModified: string | null,
  nowMs: number,
): boolean {
  if (ifRange === undefined) return true
  if (ifRange.charCodeAt(0) === QUOTE) return ifRange === etag
  if (lastModified === null) return false
  const asked = parseHttpDate(ifRange)
  const modified = parseHttpDate(lastModified)
  if (asked === undefined || asked !== modified) return false
  return Math.floor(nowMs / 1000) >= modified / 1000 + WEAK_DATE_SECONDS
}

const WHOLE: RangeSelection = { kind: 'whole' }
const UNSATISFIABLE: RangeSelection = { kind: 'unsatisfiable' }
const UNIT = 'bytes='
const QUOTE = 0x22
const COMMA = 0x2c

function startsWithUnit(header: string): boolean {
  return header.slice(0, UNIT.length).toLowerCase() === UNIT
}

/** Takes ranges in order and joins neighbours. */
class RangeMerger {
  readonly #size: number
  readonly #ranges: ByteRange[] = []
  #start = -1
  #end = -1
  #bytes = 0
  #overlaps = 0
  #reversals = 0
  #unsatisfiable = 0

  constructor(size: number) {
    this.#size = size
  }

  /**
   * `everything` is set for `0-`: it replaces all ranges before it, and the rest is not read (httpd's rule).
   */
  addItem(header: string, from: number, to: number): 'range' | 'everything' | 'malformed' {
    const minus = header.indexOf('-', from)
    if (minus === -1 || minus >= to) return 'malformed'
    const last = parseOffset(header, minus + 1, to)
    if (minus === from) {
      if (!(last >= 1)) return 'malformed'
      this.#add(Math.max(0, this.#size - last), this.#size - 1)
      return 'range'
    }
    const first = parseOffset(header, from, minus)
    if (!(first >= 0)) return 'malformed'
    if (minus + 1 < to) {
      if (!(last >= first)) return 'malformed'
      this.#add(first, Math.min(last, this.#size - 1))
      return 'range'
    }
    if (first > 0) {
      this.#add(first, this.#size - 1)
      return 'range'
    }
    this.#takeEverything()
    return 'everything'
  }

  finish(limits: RangeLimits): RangeSelection {
    if (this.#start === -1) return this.#unsatisfiable > 0 ? UNSATISFIABLE : WHOLE
    this.#push()
    if (this.#bytes > this.#size || this.#ranges.length > limits.maxRanges) return WHOLE
    if (this.#overlaps > limits.maxOverlaps || this.#reversals > limits.maxReversals) return WHOLE
    return { kind: 'ranges', ranges: this.#ranges }
  }

  #add(start: number, end: number): void {
    if (start >= this.#size) {
      this.#unsatisfiable++
      return
    }
    if (this.#start !== -1 && start <= this.#end + 1 && end >= this.#start - 1) {
      this.#overlaps++
      if (start < this.#start) {
        this.#reversals++
        this.#start = start
      }
      if (end > this.#end) this.#end = end
      return
    }
    if (this.#start !== -1) this.#push()
    this.#start = start
    this.#end = end
  }

  #takeEverything(): void {
    this.#ranges.length = 0
    this.#bytes = 0
    this.#start = 0
    this.#end = this.#size - 1
  }

  #push(): void {
    this.#ranges.push({ start: this.#start, end: this.#end })
    this.#bytes += this.#end - this.#start + 1
  }
}

const MAX_OFFSET = '9223372036854775807'

/** Digits alone, up to 2^63-1; NaN for anything else. */
function parseOffset(text: string, from: number, to: number): number {
  let start = from
  while (start < to - 1 && text.charCodeAt(start) === 0x30) start++
  const length = to - start
  if (length <= 0 || length > MAX_OFFSET.length) return Number.NaN
  let value = 0
  for (let at = start; at < to; at++) {
    const digit = text.charCodeAt(at) - 0x30
    if (digit < 0 || digit > 9) return Number.NaN
    value = value * 10 + digit
  }
  return length === MAX_OFFSET.length && text.slice(start, to) > MAX_OFFSET ? Number.NaN : value
}
