import type { JsonObject, KeySource } from '@gatewright/tokens'
import { errors, jwtVerify } from 'jose'
import { type BearerConfig, STANDARD_SKEW } from './config.ts'

/** The claims of a good token, or why it is not one. `unavailable` if that cannot be known now. */
export type Verified =
  | { readonly kind: 'claims'; readonly claims: JsonObject }
  | { readonly kind: 'refused' | 'unavailable'; readonly why: string }

/** What verifies signatures. A configuration without one of these accepts no token. */
export type Verifying = Readonly<BearerConfig> & {
  readonly keys: KeySource
  readonly algorithms: readonly string[]
  readonly issuer: string
  readonly audience: readonly string[]
}

/** Verifies a JWT by the rules of RFC 8725. */
export async function verify(token: string, config: Verifying): Promise<Verified> {
  try {
    const keys = await config.keys.keys()
    try {
      return await verifyWith(token, config, keys)
    } catch (error) {
      // The issuer may have new keys. A token that fails otherwise is not worth a question.
      if (!(error instanceof errors.JWKSNoMatchingKey) || !(await config.keys.renewed())) throw error
      return await verifyWith(token, config, await config.keys.keys())
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { kind: error instanceof errors.JOSEError ? 'refused' : 'unavailable', why }
  }
}

async function verifyWith(
  token: string,
  { algorithms, issuer, audience, skew = STANDARD_SKEW, type = '' }: Verifying,
  keys: Awaited<ReturnType<KeySource['keys']>>,
): Promise<Verified> {
  const { payload } = await jwtVerify(token, keys, {
    algorithms: [...algorithms],
    issuer,
    audience: [...audience],
    clockTolerance: skew,
    requiredClaims: ['exp'],
    ...(type !== '' && { typ: type }),
  })
  return { kind: 'claims', claims: payload }
}
