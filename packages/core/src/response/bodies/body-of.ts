import type { Body } from '@gatewright/api'
import { type FileCache, SMALL_FILE, SmallFile } from '../../services/file-cache.ts'
import { bytesOf } from './bytes.ts'
import { BytesBody } from './bytes-body.ts'
import { LargeFileBody } from './large-file-body.ts'
import type { ResponseBody } from './response-body.ts'
import { StreamedBody } from './stream-body.ts'

/**
 * The body that a handler left in a request, as an object of its kind. A new kind gets a line here.
 * @throws the system's error if a small file cannot be read
 */
export function bodyOf(body: Body | null, files: FileCache): ResponseBody {
  if (body === null) return new BytesBody('')
  if (typeof body === 'string' || body instanceof Uint8Array) return new BytesBody(bytesOf(body))
  if (body instanceof SmallFile) return new BytesBody(body.content)
  if (Symbol.asyncIterator in body) return new StreamedBody(body)
  return body.info.size <= SMALL_FILE ? new BytesBody(files.small(body.path, body.info).content) : new LargeFileBody(body)
}

/** The length of a body of which ranges can be sent, without reading it; null for other bodies. */
export function divisibleLength(body: Body): number | null {
  if (typeof body === 'string' || body instanceof Uint8Array) return body.length
  return Symbol.asyncIterator in body ? null : body.info.size
}
