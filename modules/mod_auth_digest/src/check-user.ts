import {
  DECLINED,
  HTTP_BAD_REQUEST,
  HTTP_INTERNAL_SERVER_ERROR,
  HTTP_UNAUTHORIZED,
  type LogLevelName,
  type MaybePromise,
  type ModuleHost,
  OK,
  type Outcome,
  type Request,
} from '@gatewright/api'
import { authTypeOf } from '@gatewright/api/peers'
import { type DigestCredentials, readAuthorization } from './authorization.ts'
import { type Challenger, realmOf, timeOf } from './challenger.ts'
import type { Client, Clients } from './clients.ts'
import {
  type ClientMemory,
  canHash,
  type DigestConfig,
  type HashingProvider,
  needsClientRecords,
  recordLifeOf,
} from './config.ts'
import type { Nonces } from './nonce.ts'
import { type Refusal, unknownClient, useNonce } from './nonce-use.ts'
import { isOpaque } from './opaque.ts'
import { provesPassword } from './response.ts'
import { compareUri, targetOf } from './same-uri.ts'

/** Proof that a client knows the password. */
export interface Proof {
  readonly credentials: DigestCredentials
  readonly realm: string
  /** The hash stored by the provider. */
  readonly stored: string
  /** Time or number in the nonce. */
  readonly moment: number
  /** The record of the client, with this use; null if the section needs none. */
  readonly client: Client | null
}

/** How often the record of a client is read again that another process has changed meanwhile. */
const ATTEMPTS = 8

/**
 * The request that the client sent: internal redirects and sub-requests use its Authorization, method and
 * URI.
 */
export function originalOf(request: Request): Request {
  let original = request
  for (let before = original.main ?? original.prev; before !== null; before = original.main ?? original.prev) original = before
  return original
}

/** True if the effective AuthType is Digest, in any case. */
export function isDigest(type: string | null): boolean {
  return type !== null && type.length === 6 && type.toLowerCase() === 'digest'
}

/** One attempt to authenticate. */
interface Attempt {
  readonly request: Request
  readonly original: Request
  readonly config: Readonly<DigestConfig>
  readonly realm: string
  readonly credentials: DigestCredentials
}

type StoredHash = string | 'not-found' | 'general-error'

/** Authenticates requests whose AuthType is Digest, and declines all others. */
export class DigestAuthentication {
  readonly #host: ModuleHost<DigestConfig, ClientMemory>
  readonly #nonces: Nonces
  readonly #clients: () => Clients
  readonly #challenger: Challenger
  readonly #proofs = new WeakMap<Request, Proof>()

  constructor(host: ModuleHost<DigestConfig, ClientMemory>, nonces: Nonces, clients: () => Clients, challenger: Challenger) {
    this.#host = host
    this.#nonces = nonces
    this.#clients = clients
    this.#challenger = challenger
  }

  /** The proof that authenticated this request; undefined if there is none. */
  proofOf(request: Request): Proof | undefined {
    return this.#proofs.get(request)
  }

  checkUser(request: Request): MaybePromise<Outcome> {
    const { configOf, functions } = this.#host
    if (!isDigest(functions.get(authTypeOf)?.(request) ?? null)) return DECLINED
    const realm = realmOf(functions, request)
    if (realm === null) {
      this.#log(request, 'error', 'AH01780', `need AuthName: ${request.uri}`)
      return HTTP_INTERNAL_SERVER_ERROR
    }
    const config = configOf(request)
    const original = originalOf(request)
    const header = original.headersIn.get(request.proxyRequest === 'forward' ? 'Proxy-Authorization' : 'Authorization')
    if (header === undefined) return this.#challenge(request, config, realm, null)
    const credentials = readAuthorization(header)
    if (credentials === 'incomplete') {
      this.#log(request, 'error', 'AH01782', `${INCOMPLETE}: ${request.uri}`)
      return this.#challenge(request, config, realm, null)
    }
    if ('scheme' in credentials) {
      const text = `client used wrong authentication scheme \`${credentials.scheme}': ${request.uri}`
      this.#log(request, 'error', 'AH01781', text)
      return this.#challenge(request, config, realm, null)
    }
    request.user = credentials.username
    request.authType = 'Digest'
    return this.#authenticate({ request, original, config, realm, credentials })
  }

  #authenticate(attempt: Attempt): MaybePromise<Outcome> {
    const { credentials, realm } = attempt
    if (!this.#isForThisUri(attempt)) return HTTP_BAD_REQUEST
    if (credentials.opaque !== null && !isOpaque(credentials.opaque)) {
      return this.#refuse(attempt, 'AH01787', `received invalid opaque - got \`${credentials.opaque}'`)
    }
    if (credentials.realm !== realm) {
      return this.#refuse(attempt, 'AH01788', `realm mismatch - got \`${credentials.realm}' but expected \`${realm}'`)
    }
    if (credentials.algorithm !== null && credentials.algorithm.toLowerCase() !== 'md5') {
      const text = `unknown algorithm \`${credentials.algorithm}' received: ${attempt.request.uri}`
      return this.#refuse(attempt, 'AH01789', text)
    }
    const stored = this.#storedHash(attempt)
    return typeof stored === 'string' ? this.#decide(attempt, stored) : stored.then((late) => this.#decide(attempt, late))
  }

  #isForThisUri({ request, original, credentials: { uri } }: Attempt): boolean {
    switch (compareUri(uri, original)) {
      case 'same':
        return true
      case 'same-without-query':
        this.#log(request, 'info', 'AH01784', `applying AuthDigestEnableQueryStringHack to uri <${targetOf(original)}>`)
        return true
      case 'different': {
        const text = `uri mismatch - <${uri}> does not match request-uri <${targetOf(original)}>`
        this.#log(request, 'error', 'AH01786', text)
        return false
      }
      case 'unreadable':
        this.#log(request, 'error', 'AH01783', `invalid uri <${uri}> in Authorization header`)
        return false
    }
  }

  /** Queries the providers in order, until one knows the user. */
  #storedHash({ request, config, realm, credentials }: Attempt): MaybePromise<StoredHash> {
    if (config.providers !== undefined) return askFrom(0, config.providers, request, credentials.username, realm)
    const provider = this.#host.providers.authn.get('file')
    if (canHash(provider)) return provider.realmHash(request, credentials.username, realm)
    this.#log(request, 'error', 'AH01770', 'No Authn provider configured')
    return 'general-error'
  }

  #decide(attempt: Attempt, stored: StoredHash): MaybePromise<Outcome> {
    const { request, original, realm, credentials } = attempt
    if (stored === 'general-error') return HTTP_INTERNAL_SERVER_ERROR
    const isKnown = stored !== 'not-found'
    const isRight = provesPassword(credentials, isKnown ? stored : undefined, original.method)
    if (!isKnown) {
      const text = `user \`${credentials.username}' in realm \`${realm}' not found: ${request.uri}`
      return this.#refuse(attempt, 'AH01790', text)
    }
    if (credentials.qop?.toLowerCase() !== 'auth') {
      const text = `invalid or missing qop value '${credentials.qop ?? '(null)'}', RFC 2069 is no longer supported: ${request.uri}`
      return this.#refuse(attempt, 'AH10560', text)
    }
    if (!isRight) return this.#refuse(attempt, 'AH01794', `user ${credentials.username}: password mismatch: ${request.uri}`)
    return this.#checkNonce(attempt, stored)
  }

  /** Called last, so that only a client that knows the password can get `stale`. */
  #checkNonce(attempt: Attempt, stored: string): MaybePromise<Outcome> {
    const { request, original, config, realm, credentials } = attempt
    const { nonce, opaque } = credentials
    const moment = this.#nonces.momentOf(nonce, realm, opaque)
    if (moment === undefined) {
      const expected = this.#nonces.expectedSignature(nonce, realm, opaque)
      this.#log(request, 'error', 'AH01776', `invalid nonce ${nonce} received - hash is not ${expected}`)
      return this.#challenge(request, config, realm, opaque, 'stale')
    }
    const conclude = (refusal: Refusal | null, client: Client | null): MaybePromise<Outcome> => {
      if (refusal !== null) {
        this.#log(request, refusal.level, refusal.code, refusal.text)
        return this.#challenge(request, config, realm, opaque, refusal.stale ? 'stale' : 'fresh')
      }
      this.#proofs.set(request, { credentials, realm, stored, moment, client })
      return OK
    }
    if (!needsClientRecords(config)) return conclude(useNonce(credentials, config, moment, timeOf(original), undefined), null)
    return this.#useRecorded(attempt, moment).then(([refusal, client]) => conclude(refusal, client))
  }

  /** Records the use of a nonce. A record that another process replaces meanwhile is judged once more. */
  async #useRecorded({ original, config, credentials }: Attempt, moment: number): Promise<[Refusal | null, Client | null]> {
    const { opaque } = credentials
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const found = opaque === null ? undefined : await this.#clients().find(opaque)
      const refusal = useNonce(credentials, config, moment, timeOf(original), found?.client)
      if (refusal !== null) return [refusal, null]
      if (found === undefined) break
      const isReplaced = await this.#clients().replace(found, recordLifeOf(config))
      if (isReplaced === true) return [null, found.client]
      // Whether the use is recorded is unknown: reading it again could call this request a replay of itself.
      if (isReplaced === undefined) break
    }
    return [unknownClient(credentials), null]
  }

  #refuse({ request, config, realm, credentials }: Attempt, code: string, text: string): MaybePromise<Outcome> {
    this.#log(request, 'error', code, text)
    return this.#challenge(request, config, realm, credentials.opaque)
  }

  #challenge(
    request: Request,
    config: Readonly<DigestConfig>,
    realm: string,
    opaque: string | null,
    nonce: 'stale' | 'fresh' = 'fresh',
  ): MaybePromise<Outcome> {
    const noted = this.#challenger.note({ request, config, realm, opaque }, nonce)
    return noted === undefined ? HTTP_UNAUTHORIZED : noted.then(() => HTTP_UNAUTHORIZED)
  }

  #log(request: Request, level: LogLevelName, code: string, text: string): void {
    this.#host.log.write(request, level, code, text)
  }
}

const INCOMPLETE = 'missing user, realm, nonce, uri, digest, cnonce, or nonce_count in authorization header'

function askFrom(
  first: number,
  listed: readonly HashingProvider[],
  request: Request,
  user: string,
  realm: string,
): MaybePromise<StoredHash> {
  for (let index = first; index < listed.length; index++) {
    const stored = listed[index].realmHash(request, user, realm)
    if (typeof stored !== 'string') {
      return stored.then((late) => (late === 'not-found' ? askFrom(index + 1, listed, request, user, realm) : late))
    }
    if (stored !== 'not-found') return stored
  }
  return 'not-found'
}
