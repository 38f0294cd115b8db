import { fetchJson, isJsonObject, type JsonObject } from '@gatewright/tokens'

const TIMEOUT = 5_000

/** Asks the issuer about opaque tokens (RFC 7662). */
export class Introspection {
  readonly url: URL
  readonly #authorization: string

  /** @param secret of the client, as a byte string */
  constructor(url: URL, client: string, secret: string) {
    this.url = url
    // RFC 6749, section 2.3.1: both are form-encoded first.
    const credentials = `${formEncoded(client)}:${formEncoded(secret)}`
    this.#authorization = `Basic ${Buffer.from(credentials, 'latin1').toString('base64')}`
  }

  /** The claims of a token; null if it is not active. @throws Error if the issuer does not answer */
  async claims(token: string): Promise<JsonObject | null> {
    const answer = await fetchJson(this.url, {
      headers: { authorization: this.#authorization },
      form: new URLSearchParams({ token, token_type_hint: 'access_token' }),
      timeout: TIMEOUT,
    })
    if (!isJsonObject(answer) || typeof answer.active !== 'boolean')
      throw new Error(`${this.url.href} sent no answer of RFC 7662`)
    return answer.active ? answer : null
  }
}

/** Encodes a byte string, whose bytes may already be those of UTF-8, as a value of a form is encoded. */
function formEncoded(bytes: string): string {
  return bytes.replace(/[^\w.-]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
}
