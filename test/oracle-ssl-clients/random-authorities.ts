import type { KeyObject } from 'node:crypto'
import { criticalExtension, derBoolean, derExtension, derImplicit, derInteger, derSequence, pemText } from '@gatewright/x509'
import type { Random } from '../fixtures/random.ts'
import { constraints, type KeyKind, type MadeName, madeCertificate, madeList, newKey, usage } from './made-certificate.ts'

/** An authority: what its certificate states, and its key. */
export interface Authority {
  readonly name: string
  readonly subject: MadeName
  readonly key: KeyObject
  readonly pem: string
  /** Who signed its certificate; null for a root. */
  readonly above: Authority | null
  /** Nothing is wrong with it. */
  readonly isSound: boolean
}

/** Serials below this one are revoked by the lists. */
export const FIRST_GOOD_SERIAL = 1000
export const REVOKED = [1, 2, 3, 4, 5] as const

const DAY = 86_400_000
const KEY_CERT_SIGN = 0x04
const CRL_SIGN = 0x02
const DIGITAL_SIGNATURE = 0x80

/** The usual time of a certificate. */
export function validity(): { readonly notBefore: Date; readonly notAfter: Date } {
  return { notBefore: inDays(-10), notAfter: inDays(300) }
}

/** Midnight of so many days from now. */
export function inDays(days: number): Date {
  return new Date(Math.floor(Date.now() / DAY) * DAY + days * DAY)
}

interface Peculiar {
  readonly kind?: KeyKind
  readonly isExpired?: true
  readonly isNoAuthority?: true
  readonly pathLength?: number
  readonly keyUsage?: number
  readonly isRevoked?: true
}

function authority(name: string, above: Authority | null, peculiar: Peculiar = {}): Authority {
  const { kind = 'p256', isExpired, isNoAuthority, isRevoked, pathLength = null } = peculiar
  const { keyUsage = KEY_CERT_SIGN | CRL_SIGN } = peculiar
  const subject: MadeName = [
    [10, 'utf8', 'Example'],
    [3, 'utf8', name],
  ]
  const key = newKey(kind)
  const plan = {
    ...validity(),
    ...(isExpired && { notAfter: inDays(-1) }),
    serial: isRevoked ? REVOKED[0] : FIRST_GOOD_SERIAL + name.length,
    issuer: above?.subject ?? subject,
    subject,
    key,
    extensions: [constraints(isNoAuthority === undefined, pathLength), usage(keyUsage)],
  }
  const isSound = kind !== 'short' && !isExpired && !isNoAuthority && !isRevoked && (keyUsage & KEY_CERT_SIGN) !== 0
  return {
    name,
    subject,
    key,
    above,
    isSound: isSound && above?.name !== 'last',
    pem: pemText('CERTIFICATE', madeCertificate(plan, above?.key ?? key)),
  }
}

/** Authorities by name, the same ones in each world; their keys differ. */
export function makeAuthorities(): ReadonlyMap<string, Authority> {
  const root = authority('root', null)
  const rsa = authority('rsa-root', null, { kind: 'rsa' })
  const all = [
    root,
    rsa,
    authority('ed-root', null, { kind: 'ed25519' }),
    authority('unknown-root', null),
    authority('short-root', null, { kind: 'short' }),
  ]
  let above = root
  for (let depth = 1; depth <= 5; depth++) {
    above = authority(`level-${depth}`, above)
    all.push(above)
  }
  all.push(
    authority('expired', root, { isExpired: true }),
    authority('no-authority', root, { isNoAuthority: true }),
    authority('revoked', root, { isRevoked: true }),
    authority('no-signer', root, { keyUsage: DIGITAL_SIGNATURE }),
    authority('no-list-signer', rsa, { keyUsage: KEY_CERT_SIGN }),
    authority('rsa-level', rsa, { kind: 'rsa' }),
    authority('last', rsa, { pathLength: 0 }),
  )
  const last = all.find(({ name }) => name === 'last') ?? root
  all.push(authority('beyond-last', last))
  return new Map(all.map((one) => [one.name, one]))
}

/** Revocation lists of an authority by what is peculiar about them, PEM. */
export function listsOf({ subject, key }: Authority, other: Authority): Readonly<Record<string, string>> {
  const dates = { from: inDays(-2), to: inDays(30) }
  const pem = (der: Buffer): string => pemText('X509 CRL', der)
  return {
    good: pem(madeList(subject, key, dates, REVOKED)),
    empty: pem(madeList(subject, key, dates, [])),
    expired: pem(madeList(subject, key, { from: inDays(-20), to: inDays(-1) }, [])),
    future: pem(madeList(subject, key, { from: inDays(2), to: inDays(30) }, [])),
    forged: pem(madeList(subject, other.key, dates, [])),
    numbered: pem(madeList(subject, key, dates, REVOKED, [derExtension('2.5.29.20', derInteger(7))])),
    // Such lists are a stated difference where OpenSSL's own check is not used.
    partial: pem(
      madeList(subject, key, dates, REVOKED, [
        criticalExtension('2.5.29.28', derSequence(derImplicit(1, derBoolean(true).subarray(2)))),
      ]),
    ),
  }
}

/** Those above an authority, nearest first, itself included. */
export function lineOf(one: Authority | null): readonly Authority[] {
  return one === null ? [] : [one, ...lineOf(one.above)]
}

/** Some of the names. */
export function someOf<T>(random: Random, all: readonly T[], percent: number): readonly T[] {
  const some = all.filter(() => random.percent(percent))
  return some.length > 0 ? some : [random.pick(all)]
}
