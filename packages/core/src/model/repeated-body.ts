import type { ResponseImage } from './response-image.ts'

/** A body that many responses send: the last response with it may be sent again. */
export interface RepeatedBody {
  readonly content: Buffer
  /** The last response with this body, if it may be sent again. */
  image: ResponseImage | null
  /** Date of the last response that was built from scratch. */
  sentOn: string
}
