import type { FileBody, StoredResponse } from '@gatewright/api'
import { leadingInteger } from '@gatewright/api/text'
import { fieldOf } from './fields.ts'

/** The body of a response that was stored for HEAD: only its length is known. */
export type UnsentBody = AsyncIterable<Uint8Array> & { readonly contentLength: number }

/** What a stored response is answered with. */
export type StoredBody = Uint8Array | FileBody | UnsentBody

export function storedBody({ head, body }: StoredResponse): StoredBody {
  if (!head.headerOnly) return body
  const contentLength = leadingInteger(fieldOf(head.fields, 'Content-Length') ?? '')
  return { contentLength, async *[Symbol.asyncIterator]() {} }
}
