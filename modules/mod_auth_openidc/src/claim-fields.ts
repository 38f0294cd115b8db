import type { JsonObject } from '@gatewright/tokens'
import { type OpenIdConfig, type OpenIdServerConfig, STANDARD } from './config.ts'
import type { Session } from './session-store.ts'

/** A field of the request, or a variable, with a user's data. Bytes. */
export type ClaimField = readonly [name: string, value: string]

/** Characters that are not those of a field's name (RFC 9110, section 5.6.2), each of which becomes a hyphen. */
const NOT_OF_NAME = /[\0-\x20"(),/:;<=>?@[\\\]{}\x7f-\xff]/g

/** The user's data in the names of mod_auth_openidc, a later one of the same name in place of the former. */
export function claimFields(
  { idClaims, userInfo, idToken, accessToken, accessExpires, refreshToken }: Session,
  server: Readonly<OpenIdServerConfig>,
  { passRefreshToken = false }: Readonly<OpenIdConfig>,
): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  const { passIdTokenAs = CLAIMS, passUserInfoAs = CLAIMS } = server
  if (userInfo !== null) {
    if (passUserInfoAs.has('claims')) addClaims(fields, userInfo, server)
    if (passUserInfoAs.has('json')) fields.set('OIDC_userinfo_json', json(userInfo))
  }
  if (passIdTokenAs.has('claims')) addClaims(fields, idClaims, server)
  if (passIdTokenAs.has('payload')) fields.set('OIDC_id_token_payload', json(idClaims))
  if (passIdTokenAs.has('serialized')) fields.set('OIDC_id_token', idToken)
  if (passRefreshToken && refreshToken !== null) fields.set('OIDC_refresh_token', oneLine(refreshToken))
  fields.set('OIDC_access_token', oneLine(accessToken))
  if (accessExpires !== null) fields.set('OIDC_access_token_expires', String(accessExpires))
  return fields
}

const CLAIMS: ReadonlySet<string> = new Set(['claims'])

function addClaims(
  fields: Map<string, string>,
  claims: JsonObject,
  { claimPrefix = STANDARD.claimPrefix, claimDelimiter = STANDARD.claimDelimiter }: Readonly<OpenIdServerConfig>,
): void {
  for (const [claim, value] of Object.entries(claims)) {
    const text = textOf(value, claimDelimiter)
    if (text !== null) fields.set(fieldName(claimPrefix + bytes(claim)), oneLine(text))
  }
}

export function fieldName(text: string): string {
  return text.replace(NOT_OF_NAME, '-')
}

/** As mod_auth_openidc writes it; null for null, which it leaves out. */
function textOf(value: unknown, delimiter: string): string | null {
  if (typeof value === 'string') return bytes(value)
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return value.map((member) => textOf(member, delimiter) ?? '').join(delimiter)
  return value === null || value === undefined ? null : json(value)
}

function json(value: unknown): string {
  return oneLine(bytes(JSON.stringify(value)))
}

/** UTF-8 as bytes, as fields and variables have it. */
function bytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

/** A field ends with its line: a claim must not begin another one. */
function oneLine(text: string): string {
  return text.replace(/[\0-\x1f\x7f]/g, ' ')
}

/** Values as OIDCPassClaimsAs wants them in fields. @param kind what the value is for: latin1 applies to both, base64url to fields */
export function encoded(value: string, encoding: OpenIdConfig['encoding'], kind: 'field' | 'variable'): string {
  if (encoding === 'latin1') {
    const text = Buffer.from(value, 'latin1').toString()
    return text.replace(/[^\0-\xff]/gu, '?')
  }
  return encoding === 'base64url' && kind === 'field' ? Buffer.from(value, 'latin1').toString('base64url') : value
}

/** The claims that are kept: OIDCWhiteListedClaims and OIDCBlackListedClaims. */
export function listed(claims: JsonObject, { whiteListed, blackListed }: Readonly<OpenIdServerConfig>): JsonObject {
  if (whiteListed === undefined && blackListed === undefined) return claims
  const kept = Object.entries(claims).filter(
    ([name]) => blackListed?.has(name) !== true && (whiteListed === undefined || whiteListed.has(name)),
  )
  return Object.fromEntries(kept)
}
