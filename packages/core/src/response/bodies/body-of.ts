import type { Body, FilteredBody } from '@gatewright/api'
import { type FileCache, SMALL_FILE, SmallFile } from '../../services/file-cache.ts'
import { isTunnel } from '../tunnel.ts'
import { type Bytes, bufferOf, bytesOf, isBytes } from './bytes.ts'
import { LargeFileBody } from './large-file-body.ts'
import type { ResponseBody } from './response-body.ts'
import { StreamedBody } from './stream-body.ts'

/**
 * The body that a handler left in a request: as bytes if it is in memory, otherwise as an object of its kind. A
 * new kind gets a line here.
 * @throws the system's error if a small file cannot be read
 */
export function bodyOf(body: Body | null, files: FileCache): Bytes | ResponseBody {
  if (body === null) return ''
  if (typeof body === 'string' || body instanceof Uint8Array) return bytesOf(body)
  if (body instanceof SmallFile) return body.content
  if (Symbol.asyncIterator in body) return new StreamedBody(body)
  // The responder sends a tunnel by itself, and filters have nothing to do with it.
  if (isTunnel(body)) return ''
  return body.info.size <= SMALL_FILE ? files.small(body.path, body.info).content : new LargeFileBody(body)
}

/**
 * The same body for filters; nothing is read from a source before a filter requests it.
 * @throws the system's error if a small file cannot be read
 */
export function filteredBodyOf(body: Body | null, files: FileCache): FilteredBody {
  const found = bodyOf(body, files)
  return isBytes(found) ? bufferOf(found) : found.filtered()
}

/** The length of a body of which ranges can be sent, without reading it; null for other bodies. */
export function divisibleLength(body: Body): number | null {
  if (typeof body === 'string' || body instanceof Uint8Array) return body.length
  return Symbol.asyncIterator in body || isTunnel(body) ? null : body.info.size
}
