import {
  credentialsField,
  DECLINED,
  HTTP_INTERNAL_SERVER_ERROR,
  HTTP_SERVICE_UNAVAILABLE,
  HTTP_UNAUTHORIZED,
  type MaybePromise,
  type ModuleHost,
  OK,
  type Outcome,
  type Request,
  type Slot,
} from '@gatewright/api'
import { authNameOf, authTypeOf } from '@gatewright/api/peers'
import { askShown, traceDirective } from '@gatewright/api/tracing'
import { claimValues, type JsonObject } from '@gatewright/tokens'
import { type BearerConfig, STANDARD_SKEW, STANDARD_USER_CLAIM } from './config.ts'
import { tokenOf } from './token.ts'
import { type Verified, verify } from './verify.ts'

/** AuthType Bearer: the token of a request says who its client is. */
export class BearerAuthentication {
  readonly #host: ModuleHost<BearerConfig, undefined>
  readonly #claims: Slot<Request, JsonObject>
  /** Requests whose token was refused, for the challenge. */
  readonly #refused: Slot<Request, true>

  constructor(host: ModuleHost<BearerConfig, undefined>) {
    this.#host = host
    this.#claims = host.requestSlot<JsonObject>()
    this.#refused = host.requestSlot<true>()
  }

  /** The claims of the request's token; undefined if it has not been verified. */
  claimsOf(request: Request): JsonObject | undefined {
    return this.#claims.get(request)
  }

  checkUser(request: Request): MaybePromise<Outcome> {
    if (!this.#isBearer(request)) return DECLINED
    const config = this.#host.configOf(request)
    const missing = missingOf(config)
    if (missing !== null) {
      this.#log(request, `AuthType Bearer needs ${missing}: ${request.uri}`)
      return HTTP_INTERNAL_SERVER_ERROR
    }
    const token = tokenOf(credentialsField(request))
    if (token === null) return HTTP_UNAUTHORIZED
    return this.#verify(request, config, token)
  }

  async #verify(request: Request, config: Readonly<BearerConfig>, token: string): Promise<Outcome> {
    const { keys, introspection, issuer = '' } = config
    const verified = await askShown(request, {
      of: `the issuer ${issuer}`,
      question:
        keys === undefined ? `the claims of the token, at ${introspection?.url.href ?? ''}` : `the keys at ${keys.url.href}`,
      ask: () => verifiedBy(token, config),
      shown: (found) => (found.kind === 'claims' ? 'the token is good' : `the token is ${found.kind}: ${found.why}`),
    })
    if (verified === null) {
      traceDirective(request, 'AuthType', null, 'does not verify the token without the issuer; a refusal is assumed')
      return HTTP_UNAUTHORIZED
    }
    if (verified.kind !== 'claims') {
      if (verified.kind === 'unavailable') {
        this.#log(request, `a token could not be verified: ${verified.why}`)
        return HTTP_SERVICE_UNAVAILABLE
      }
      this.#host.log.write(request, 'info', '', `a token was refused: ${verified.why}`)
      this.#refused.set(request, true)
      return HTTP_UNAUTHORIZED
    }
    const [user] = claimValues(verified.claims, config.userClaim ?? STANDARD_USER_CLAIM)
    if (user === undefined || user === '' || /[\0-\x1f\x7f]/.test(user)) {
      this.#host.log.write(request, 'info', '', `a token was refused: it has no claim ${config.userClaim ?? STANDARD_USER_CLAIM}`)
      this.#refused.set(request, true)
      return HTTP_UNAUTHORIZED
    }
    this.#claims.set(request, verified.claims)
    request.user = user
    request.authType = 'Bearer'
    return OK
  }

  /** RFC 6750, section 3: without a token, no error is stated. */
  challenge(request: Request, type: string): Outcome {
    if (type.toLowerCase() !== 'bearer') return DECLINED
    const realm = (this.#host.functions.get(authNameOf)?.(request) ?? '').replace(/["\\\0-\x1f\x7f]/g, '')
    const parts = realm === '' ? [] : [`realm="${realm}"`]
    if (this.#refused.get(request) === true) parts.push('error="invalid_token"')
    else if (this.#claims.get(request) !== undefined) parts.push('error="insufficient_scope"')
    // As for Basic: a client that uses this server as a proxy is asked by another field.
    const field = request.proxyRequest === 'forward' ? 'Proxy-Authenticate' : 'WWW-Authenticate'
    request.errHeadersOut.set(field, parts.length === 0 ? 'Bearer' : `Bearer ${parts.join(', ')}`)
    return OK
  }

  #isBearer(request: Request): boolean {
    return (this.#host.functions.get(authTypeOf)?.(request) ?? '').toLowerCase() === 'bearer'
  }

  #log(request: Request, text: string): void {
    this.#host.log.write(request, 'error', '', text)
  }
}

/** What a configuration lacks. Nothing has a default that would accept tokens for others. */
export function missingOf({ keys, introspection, algorithms, issuer, audience }: Readonly<BearerConfig>): string | null {
  if (keys === undefined && introspection === undefined) return 'AuthBearerKeys or AuthBearerIntrospection'
  if (keys !== undefined && algorithms === undefined) return 'AuthBearerAlgorithms'
  if (issuer === undefined) return 'AuthBearerIssuer'
  return audience === undefined ? 'AuthBearerAudience' : null
}

async function verifiedBy(token: string, config: Readonly<BearerConfig>): Promise<Verified> {
  const { keys, introspection, algorithms, issuer, audience } = config
  if (issuer === undefined || audience === undefined) return { kind: 'unavailable', why: 'no issuer' }
  if (keys !== undefined && algorithms !== undefined) return verify(token, { ...config, keys, algorithms, issuer, audience })
  if (introspection === undefined) return { kind: 'unavailable', why: 'no keys' }
  try {
    const claims = await introspection.claims(token)
    if (claims === null) return { kind: 'refused', why: 'it is not active' }
    const fault = faultOf(claims, { issuer, audience, skew: config.skew ?? STANDARD_SKEW })
    return fault === null ? { kind: 'claims', claims } : { kind: 'refused', why: fault }
  } catch (error) {
    return { kind: 'unavailable', why: error instanceof Error ? error.message : String(error) }
  }
}

/** The issuer has said that a token is active: what it says besides must agree with the configuration. */
function faultOf(
  claims: JsonObject,
  { issuer, audience, skew }: { readonly issuer: string; readonly audience: readonly string[]; readonly skew: number },
): string | null {
  const now = Date.now() / 1_000
  if (claims.iss !== undefined && claims.iss !== issuer) return 'another issuer'
  // Compared whole, as in a JWT: an audience may contain blanks.
  const audiences: readonly unknown[] = Array.isArray(claims.aud) ? claims.aud : [claims.aud]
  if (!audiences.some((value) => typeof value === 'string' && audience.includes(value))) return 'another audience'
  if (claims.exp !== undefined && !(typeof claims.exp === 'number' && claims.exp > now - skew)) return 'it has expired'
  if (claims.nbf !== undefined && !(typeof claims.nbf === 'number' && claims.nbf <= now + skew)) return 'it is not valid yet'
  return null
}
