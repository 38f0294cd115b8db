import type { FileInfo } from '@gatewright/api'
import { httpDate } from '@gatewright/api/text'
import { ETAG_INODE, ETAG_MTIME, ETAG_SIZE } from './etag-bits.ts'

/**
 * The ETag of a file according to FileETag: inode, size and modification time in that order, each in
 * lower-case hexadecimal.
 *
 * It is weak if the file was modified within the second before the request, or in the future, because the
 * file may change again without a new modification time. This applies to every combination of parts. A digest
 * is made by the caller and is always strong.
 *
 * @param bits ETAG_INODE, ETAG_SIZE and ETAG_MTIME; other bits are ignored
 * @param requestTimeMs milliseconds since the epoch
 * @param microseconds the exact modification time, if it was requested, because a double cannot represent
 *   every one
 * @returns the tag with its quotes; null if it has no parts
 */
export function fileEtag(
  info: FileInfo,
  bits: number,
  requestTimeMs: number,
  microseconds: number = wholeMicroseconds(info.mtimeMs),
): string | null {
  let tag = ''
  if ((bits & ETAG_INODE) !== 0) tag = info.inode.toString(16)
  if ((bits & ETAG_SIZE) !== 0) tag += tag === '' ? info.size.toString(16) : `-${info.size.toString(16)}`
  if ((bits & ETAG_MTIME) !== 0) tag += tag === '' ? hexadecimal(microseconds) : `-${hexadecimal(microseconds)}`
  if (tag === '') return null
  return requestTimeMs - info.mtimeMs > STRONG_AGE_MS ? `"${tag}"` : `W/"${tag}"`
}

/** Combines two tags into one, `"a;b"`, which is weak if either is. */
export function joinEtags(etag: string, other: string): string {
  const weak = etag.startsWith('W/') || other.startsWith('W/')
  return `${weak ? 'W/' : ''}"${opaque(etag)};${opaque(other)}"`
}

function opaque(etag: string): string {
  return etag.slice(etag.indexOf('"') + 1, -1)
}

/**
 * The value of Last-Modified as IMF-fixdate. A time in the future is sent as now (RFC 9110 section 8.8.2.1),
 * one before 1970 as the beginning of 1970.
 */
export function lastModified(info: FileInfo, nowMs: number): string {
  return httpDate(Math.max(0, Math.min(info.mtimeMs, nowMs)))
}

/**
 * Whether a list of entity tags (If-Match, If-None-Match) contains the tag, or begins with `*`, which also
 * matches if there is no tag. Lists are parsed as in httpd: text between a tag and the next comma makes it a
 * different tag, and the list ends at an invalid item; in a strong comparison, a weak tag is one.
 *
 * @param list value of the header field
 * @param etag the tag with its quotes, null for none
 * @param comparison RFC 9110 section 8.8.3.2: strong never matches a weak tag, weak ignores `W/`
 */
export function matchesEtag(list: string, etag: string | null, comparison: 'strong' | 'weak'): boolean {
  if (list.charCodeAt(0) === STAR) return true
  if (etag === null) return false
  const isWeak = etag.startsWith('W/')
  if (isWeak && comparison === 'strong') return false
  const wanted = isWeak ? etag.slice(2) : etag

  let at = skipSeparators(list, 0)
  while (at < list.length) {
    if (comparison === 'weak' && list.startsWith('W/', at)) at += 2
    if (list.charCodeAt(at) !== QUOTE) return false
    const end = itemEnd(list, at)
    if (isItem(list, at, end, wanted)) return true
    at = skipSeparators(list, end)
  }
  return false
}

const STRONG_AGE_MS = 1000

/** Times before 1970 are printed as unsigned 64-bit numbers. */
function hexadecimal(microseconds: number): string {
  return microseconds >= 0 ? microseconds.toString(16) : BigInt.asUintN(64, BigInt(microseconds)).toString(16)
}

/**
 * Doubles near present times are a quarter of a microsecond apart, so one that represents a whole number of
 * microseconds may be too small by half of that. Splitting off the milliseconds is exact, and a tolerance of
 * that half corrects the rest.
 */
function wholeMicroseconds(mtimeMs: number): number {
  const milliseconds = Math.floor(mtimeMs)
  const tolerance = mtimeMs < 2 ** 41 ? 0.1222 : 0.2443
  return milliseconds * 1000 + Math.floor((mtimeMs - milliseconds) * 1000 + tolerance)
}

const QUOTE = 0x22
const OPEN = 0x28
const CLOSE = 0x29
const STAR = 0x2a
const COMMA = 0x2c
const BACKSLASH = 0x5c

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09
}

function skipSeparators(list: string, from: number): number {
  let at = from
  while (at < list.length && (list.charCodeAt(at) === COMMA || isBlank(list.charCodeAt(at)))) at++
  return at
}

/** Index of the comma after an item: not one in quotes, in a comment, or after a backslash. */
function itemEnd(list: string, from: number): number {
  let quoted = false
  let depth = 0
  for (let at = from; at < list.length; at++) {
    const code = list.charCodeAt(at)
    if (code === BACKSLASH) at++
    else if (quoted) quoted = code !== QUOTE
    else if (code === OPEN) depth++
    else if (depth > 0) {
      if (code === CLOSE) depth--
    } else if (code === QUOTE) quoted = true
    else if (code === COMMA) return at
  }
  return list.length
}

function isItem(list: string, start: number, end: number, wanted: string): boolean {
  let last = end
  while (last > start && isBlank(list.charCodeAt(last - 1))) last--
  return last - start === wanted.length && list.startsWith(wanted, start)
}
