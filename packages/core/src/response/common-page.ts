import { wireBytes } from '@gatewright/http'
import { BUFFERED_PAGE } from '../base/buffered-page.ts'
import type { RepeatedBody } from '../model/repeated-body.ts'
import type { ResponseImage } from '../model/response-image.ts'

/** An error page whose text depends on nothing but its status, its signature and where it redirects. */
export class CommonPage implements RepeatedBody {
  readonly text: string
  readonly signature: string
  readonly location: string | undefined
  image: ResponseImage | null = null
  sentOn = ''
  #content: Buffer | null = null

  constructor(text: string, signature: string, location: string | undefined) {
    this.text = text
    this.signature = signature
    this.location = location
  }

  get content(): Buffer {
    this.#content ??= wireBytes(this.text)
    return this.#content
  }

  /** False for a page so long that its response does not state the length. */
  get isShort(): boolean {
    return this.text.length <= BUFFERED_PAGE
  }
}

/** The last common page of each status. */
export class CommonPages {
  readonly #last = new Map<number, CommonPage>()

  /** The last page of a status; undefined if it was for another signature or location. */
  find(status: number, signature: string, location: string | undefined): CommonPage | undefined {
    const last = this.#last.get(status)
    return last !== undefined && last.signature === signature && last.location === location ? last : undefined
  }

  keep(status: number, page: CommonPage): void {
    this.#last.set(status, page)
  }

  /** The page of a response with this status and body; null if the body is another one. */
  pageOf(status: number, body: string): CommonPage | null {
    const last = this.#last.get(status)
    return last !== undefined && last.text === body && last.isShort ? last : null
  }
}
