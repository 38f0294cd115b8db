import { createHash } from 'node:crypto'
import type { MaybePromise, ModuleLog, SharedStore } from '@gatewright/api'
import {
  isMalformed,
  isResponseVerified,
  isTimely,
  ocspRequest,
  ocspTryLater,
  parseOcspResponse,
  type SingleResponse,
} from '@gatewright/x509'
import type { ClientHello } from '../client-hello.ts'
import type { StaplingSettings } from '../settings.ts'
import type { PreparedServer } from '../start/prepare-server.ts'
import type { StapledCertificate } from '../start/stapled-certificates.ts'
import { findStatus } from './client-status.ts'
import { presentedPair } from './presented-pair.ts'
import { askResponder } from './responder.ts'

/** Defaults of the directives, in seconds. */
const TIMEOUT = 10
const SKEW = 300
const CACHE_TIMEOUT = 3600
const ERROR_CACHE_TIMEOUT = 600
/** Bytes before a response in the cache: until when it is to be used, in milliseconds since 1970. */
const HEAD_BYTES = 8
/** OpenSSL's names of response statuses. */
const STATUSES: readonly string[] = [
  'successful',
  'malformedrequest',
  'internalerror',
  'trylater',
  '',
  'sigrequired',
  'unauthorized',
]
const NOTHING: Uint8Array = new Uint8Array(0)

/** A response, or what is sent in place of one. */
interface Staple {
  /** Empty where nothing is sent. */
  readonly der: Uint8Array
  /** When it is asked for again, in milliseconds since 1970. */
  readonly until: number
}

/** SSLUseStapling: OCSP responses about the certificates of servers, for clients that ask for them. */
export class Stapling {
  readonly #store: SharedStore
  readonly #log: ModuleLog
  readonly #known = new WeakMap<StapledCertificate, Staple>()
  readonly #running = new WeakMap<StapledCertificate, Promise<Staple>>()

  constructor(store: SharedStore, log: ModuleLog) {
    this.#store = store
    this.#log = log
  }

  /** The response to send along; undefined without one. A promise never rejects. */
  for(prepared: PreparedServer, hello: ClientHello): MaybePromise<Uint8Array | undefined> {
    if (!hello.requestsStapling || prepared.stapled.length === 0) return undefined
    const stapled = prepared.stapled[presentedPair(prepared, hello) ?? -1]
    if (stapled === undefined || stapled === null) return undefined
    const settings = prepared.settings.server.stapling
    const known = this.#known.get(stapled)
    const now = Date.now()
    if (known !== undefined && now < known.until) return responseIn(known)
    const running = this.#running.get(stapled) ?? this.#renew(stapled, settings)
    this.#running.set(stapled, running)
    // An older response that is still valid is good enough for this client.
    if (known !== undefined && isGood(known.der, stapled, settings, new Date(now))) {
      running.catch(() => undefined)
      return known.der
    }
    return running.then(responseIn, () => undefined)
  }

  async #renew(stapled: StapledCertificate, settings: Readonly<StaplingSettings>): Promise<Staple> {
    const key = keyOf(stapled)
    try {
      const kept = stapleIn(await this.#store.get(key))
      const staple = kept !== null && isUsable(kept, stapled, settings) ? kept : await this.#ask(stapled, settings)
      if (staple !== kept) this.#store.set(key, bytesOf(staple), staple.until - Date.now())
      this.#known.set(stapled, staple)
      return staple
    } finally {
      this.#running.delete(stapled)
    }
  }

  async #ask(stapled: StapledCertificate, settings: Readonly<StaplingSettings>): Promise<Staple> {
    const { responder, id } = stapled
    const answer = await askResponder(responder, {
      request: ocspRequest(id, null),
      timeout: (settings.timeout ?? TIMEOUT) * 1000,
      proxy: null,
    })
    const lifetime = (seconds: number): number => Date.now() + seconds * 1000
    const failed = (der: Uint8Array): Staple => ({
      der: settings.returnErrors === false ? NOTHING : der,
      until: lifetime(settings.errorCacheTimeout ?? ERROR_CACHE_TIMEOUT),
    })
    const substitute = settings.fakeTryLater === false ? NOTHING : ocspTryLater()
    if (!Buffer.isBuffer(answer)) {
      this.#error('AH01941', `stapling_renew_response: responder error: ${answer.error}`)
      return failed(substitute)
    }
    const response = parseOcspResponse(answer)
    if (isMalformed(response)) {
      this.#error('AH01934', 'stapling_check_response: Error Parsing Response!')
      return failed(substitute)
    }
    if (response.status !== 0 || response.basic === undefined) {
      this.#error('AH01944', `stapling_renew_response: responder error ${STATUSES[response.status] ?? response.status}`)
      return failed(answer)
    }
    const now = new Date()
    if (!isResponseVerified(response.basic, { issuer: stapled.issuer, trusted: [] }, now)) {
      this.#error('AH01943', 'stapling_renew_response: error in retrieved response!')
      return failed(substitute)
    }
    const single = findStatus(response.basic, id)
    if (single === undefined) this.#error('AH01935', 'stapling_check_response: certificate ID not present in response!')
    else if (!isPresent(single, settings, now)) this.#error('AH01936', 'stapling_check_response: response times invalid')
    else if (single.status === 'good') return { der: answer, until: lifetime(settings.cacheTimeout ?? CACHE_TIMEOUT) }
    else {
      const { status, reason } = single
      const serial = stapled.certificate.serialNumber
      const text = `response has certificate status ${status} (reason: ${reason ?? 'n/a'}) for serial number ${serial}`
      this.#error('AH02969', `stapling_check_response: ${text}`)
      return failed(answer)
    }
    return failed(substitute)
  }

  #error(code: string, text: string): void {
    this.#log.write(null, 'error', code, text)
  }
}

function responseIn({ der }: Staple): Uint8Array | undefined {
  return der.length === 0 ? undefined : der
}

/** Whether a staple of the cache is still to be used: responses about errors are, until they are asked for again. */
function isUsable(staple: Staple, stapled: StapledCertificate, settings: Readonly<StaplingSettings>): boolean {
  const now = Date.now()
  if (staple.until <= now) return false
  const response = staple.der.length === 0 ? undefined : parseOcspResponse(staple.der)
  const isError = response === undefined || isMalformed(response) || response.status !== 0
  return isError || isGood(staple.der, stapled, settings, new Date(now))
}

/** Whether a response says that the certificate is good, and is of the present. */
function isGood(der: Uint8Array, { id }: StapledCertificate, settings: Readonly<StaplingSettings>, now: Date): boolean {
  const response = der.length === 0 ? undefined : parseOcspResponse(der)
  if (response === undefined || isMalformed(response) || response.basic === undefined) return false
  const single = findStatus(response.basic, id)
  return single !== undefined && single.status === 'good' && isPresent(single, settings, now)
}

function isPresent(single: SingleResponse, { timeSkew = SKEW, maxAge }: Readonly<StaplingSettings>, now: Date): boolean {
  return isTimely(single, now, timeSkew, maxAge ?? null)
}

function keyOf({ certificate, responder }: StapledCertificate): string {
  const { host, port, path } = responder
  return createHash('sha256').update(certificate.raw).update(`${host} ${port} ${path}`).digest('base64')
}

function bytesOf({ der, until }: Staple): Uint8Array {
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeDoubleBE(until)
  return Buffer.concat([head, der])
}

function stapleIn(bytes: Uint8Array | undefined): Staple | null {
  if (bytes === undefined || bytes.length < HEAD_BYTES) return null
  const buffer = Buffer.from(bytes)
  return { until: buffer.readDoubleBE(), der: buffer.subarray(HEAD_BYTES) }
}
