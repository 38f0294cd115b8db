import type { KeyObject } from 'node:crypto'
import { AcmeFailure } from './acme-failure.ts'
import type { Directory } from './directory.ts'
import { statusFailure } from './failure-of.ts'
import type { HttpsClient, Reply } from './https-client.ts'
import { signedMessage } from './jws.ts'

/** Refused nonces after which a request fails; half of them may be refused by a CA that tests its clients. */
const NONCE_ATTEMPTS = 12
/** Nonces that are kept. */
const NONCES = 10

/** Signed messages to a CA, with its nonces (RFC 8555 section 6.5). */
export class AcmeSession {
  readonly client: HttpsClient
  readonly directory: Directory
  readonly key: KeyObject
  readonly #nonces: string[] = []
  /** The account's URL; '' until it is known. */
  account = ''

  constructor(client: HttpsClient, directory: Directory, key: KeyObject) {
    this.client = client
    this.directory = directory
    this.key = key
  }

  /**
   * Posts a message of the account, or of the key alone when there is no account yet.
   * @param payload null for POST-as-GET
   * @throws AcmeFailure for every answer that is no success
   */
  async post(url: string, payload: unknown): Promise<Reply> {
    const who = this.account === '' ? {} : { kid: this.account }
    for (let attempt = 1; ; attempt++) {
      const nonce = this.#nonces.pop() ?? (await this.#newNonce())
      const reply = await this.client.exchange({
        method: 'POST',
        url,
        body: signedMessage(this.key, { url, nonce, ...who }, payload),
      })
      this.#keepNonce(reply)
      if (reply.status >= 200 && reply.status < 300) return reply
      const failure = statusFailure(reply)
      if (failure.kind !== 'badNonce' || attempt >= NONCE_ATTEMPTS) throw failure
    }
  }

  async #newNonce(): Promise<string> {
    const reply = await this.client.exchange({ method: 'HEAD', url: this.directory.newNonce })
    this.#keepNonce(reply)
    const nonce = this.#nonces.pop()
    if (nonce === undefined) throw new AcmeFailure('error retrieving new nonce from ACME server')
    return nonce
  }

  #keepNonce(reply: Reply): void {
    const nonce = reply.field('replay-nonce')
    if (/^[\w-]{1,512}$/.test(nonce) && this.#nonces.length < NONCES) this.#nonces.push(nonce)
  }
}
