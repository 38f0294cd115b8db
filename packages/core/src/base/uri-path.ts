/**
 * Letters, digits and `-._~`, which may be decoded before any other processing of a path (RFC 3986 section
 * 2.3).
 */
function isUnreserved(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 45 ||
    code === 46 ||
    code === 95 ||
    code === 126
  )
}

function hexValue(code: number): number {
  if (code >= 48 && code <= 57) return code - 48
  const lower = code | 32
  return lower >= 97 && lower <= 102 ? lower - 87 : -1
}

/** Value of the two hexadecimal digits after a percent sign, or -1. */
function escapedByte(path: string, percent: number): number {
  const high = hexValue(path.charCodeAt(percent + 1))
  const low = hexValue(path.charCodeAt(percent + 2))
  return high < 0 || low < 0 ? -1 : high * 16 + low
}

const PERCENT = 37
const SLASH = 47
const DOT = 46

/** Whether a path needs no change, as most do. */
function isPlain(path: string): boolean {
  for (let index = 0; index < path.length; index++) {
    const code = path.charCodeAt(index)
    if (code === PERCENT) return false
    if (code === SLASH) {
      const next = path.charCodeAt(index + 1)
      if (next === SLASH || next === DOT) return false
    }
  }
  return true
}

/**
 * A path with a malformed escape, or with a `..` above the root. `resolved` is the rest of the path, for
 * logs.
 */
export interface InvalidPath {
  readonly resolved: string
}

/** Normalises the encoded path of a URI: decodes unreserved characters, then resolves segments. */
export function normalizePath(path: string, slashes: 'merge' | 'keep'): string | InvalidPath {
  if (path === '*' || isPlain(path)) return path.startsWith('/') || path === '*' ? path : { resolved: path }
  if (!path.startsWith('/')) return { resolved: path }
  const decoded = decodeUnreserved(path)
  const resolved = resolveSegments(decoded.text, slashes)
  if (!decoded.malformed) return resolved
  return typeof resolved === 'string' ? { resolved } : resolved
}

/**
 * Removes `.` and `..` segments, and merges slashes if requested.
 * @param path absolute path, in which a percent sign has no meaning
 */
export function resolveSegments(path: string, slashes: 'merge' | 'keep'): string | InvalidPath {
  const kept: string[] = []
  const segments = path.split('/')
  let aboveRoot = false
  for (let index = 1; index < segments.length; index++) {
    const segment = segments[index]
    const last = index === segments.length - 1
    if (segment === '' && !last && slashes === 'merge') continue
    if (segment === '.') {
      if (last) kept.push('')
    } else if (segment === '..') {
      if (kept.length === 0) aboveRoot = true
      kept.pop()
      if (last) kept.push('')
    } else if (!(segment === '' && last && slashes === 'merge' && kept.length > 0 && kept[kept.length - 1] === ''))
      kept.push(segment)
  }
  const resolved = `/${kept.join('/')}`
  return aboveRoot ? { resolved } : resolved
}

/** Keeps malformed escapes. */
function decodeUnreserved(path: string): { readonly text: string; readonly malformed: boolean } {
  if (!path.includes('%')) return { text: path, malformed: false }
  let out = ''
  let from = 0
  let malformed = false
  for (let at = path.indexOf('%'); at >= 0; at = path.indexOf('%', at + 1)) {
    const byte = escapedByte(path, at)
    malformed ||= byte < 0
    if (byte < 0 || !isUnreserved(byte)) continue
    out += path.slice(from, at) + String.fromCharCode(byte)
    from = at + 3
    at += 2
  }
  return { text: out + path.slice(from), malformed }
}

/**
 * Why a path cannot be decoded: it contains an encoded slash or NUL, or an invalid escape. `decoded` is the
 * text for logs.
 */
export interface DecodeFailure {
  readonly failure: 'slash' | 'malformed'
  readonly decoded: string
}

/**
 * Decodes all escapes of a normalised path.
 * @param encodedSlashes AllowEncodedSlashes
 */
export function decodePath(path: string, encodedSlashes: 'off' | 'on' | 'nodecode'): string | DecodeFailure {
  if (!path.includes('%')) return path
  let out = ''
  let from = 0
  let refused = false
  for (let at = path.indexOf('%'); at >= 0; at = path.indexOf('%', at + 1)) {
    const byte = escapedByte(path, at)
    if (byte < 0) return { failure: 'malformed', decoded: path }
    // As in a C string, text after a NUL is ignored.
    if (byte === 0) return { failure: 'slash', decoded: out + path.slice(from, at) }
    if (byte === SLASH && encodedSlashes === 'nodecode') {
      at += 2
      continue
    }
    refused ||= byte === SLASH && encodedSlashes === 'off'
    out += path.slice(from, at) + String.fromCharCode(byte)
    from = at + 3
    at += 2
  }
  const decoded = out + path.slice(from)
  return refused ? { failure: 'slash', decoded } : decoded
}

/** Makes several slashes in a row one. */
export function mergeSlashes(path: string): string {
  return path.includes('//') ? path.replace(/\/{2,}/g, '/') : path
}

/** The part of a URI's path before the path info at its end; several slashes match one. */
export function withoutPathInfo(uri: string, pathInfo: string): string {
  let end = uri.length
  let at = pathInfo.length
  while (end > 0 && at > 0 && uri.charCodeAt(end - 1) === pathInfo.charCodeAt(at - 1)) {
    end--
    at--
    if (pathInfo.charCodeAt(at) === SLASH) while (end > 0 && uri.charCodeAt(end - 1) === SLASH) end--
  }
  // If the two differ, the segment is kept as a whole.
  const slash = uri.indexOf('/', end)
  return slash < 0 ? uri : uri.slice(0, slash)
}
