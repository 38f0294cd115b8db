import type { KeyObject } from 'node:crypto'
import { pemText } from '@gatewright/x509'
import type { Random } from '../fixtures/random.ts'
import {
  alternatives,
  constraints,
  KEY_KINDS,
  type MadeDigest,
  type MadeName,
  madeCertificate,
  newKey,
  purpose,
  unknownExtension,
  usage,
} from './made-certificate.ts'
import { type Authority, FIRST_GOOD_SERIAL, inDays, lineOf, validity } from './random-authorities.ts'
import { FOLDERS, type HostFacts } from './random-hosts.ts'

/** A client with its certificates. */
export interface Client {
  /** What is peculiar about it, for messages. */
  readonly about: string
  readonly version: 'TLSv1.2' | 'TLSv1.3'
  readonly host: string
  /** The page that it asks for. */
  readonly path: string
  /** PEM: its own certificate and those that it sends along; null for none. */
  readonly certificates: string | null
  readonly key: string
  /** The key that has signed its own certificate; null without one. */
  readonly signer: KeyObject | null
}

/** With so many certificates a chain is longer than OpenSSL's limit of 100 KiB. */
const MANY = 300
const CLIENT_AUTH = 2
const SERVER_AUTH = 1
const CODE_SIGNING = 3
const ANY = 0
const USUAL_USAGE = 0x80
const CN = 3
const O = 10

/** Keys are expensive: those of clients are made once. */
export type ClientKeys = Readonly<Record<(typeof KEY_KINDS)[number], KeyObject>>

export function makeClientKeys(): ClientKeys {
  return {
    p256: newKey('p256'),
    p384: newKey('p384'),
    rsa: newKey('rsa'),
    'rsa-pss': newKey('rsa-pss'),
    ed25519: newKey('ed25519'),
  }
}

type Named<T> = readonly [about: string, value: T]

/** In what a client can be peculiar, and how often it is. */
const ASPECTS = {
  dates: 15,
  purpose: 25,
  usage: 15,
  name: 40,
  extension: 30,
  issuer: 0,
  above: 0,
  signer: 5,
  digest: 5,
  'self-signed': 5,
  revoked: 15,
  along: 40,
} as const satisfies Readonly<Record<string, number>>
type Aspect = keyof typeof ASPECTS
/** Percent of the clients that are as their host wants them, but for one aspect. */
const NEARLY_GOOD = 60

/** Whether a client is peculiar in an aspect. */
type Chance = (aspect: Aspect) => boolean

/**
 * What is wrong with one thing is hidden by what is wrong with another, so most clients have a sound chain for their host,
 * and are peculiar in one aspect only.
 */
function chooseAspects(random: Random): { readonly isNearlyGood: boolean; readonly chance: Chance } {
  if (!random.percent(NEARLY_GOOD)) return { isNearlyGood: false, chance: (aspect) => random.percent(ASPECTS[aspect]) }
  const only = random.pick<Aspect | 'none'>([
    'dates',
    'purpose',
    'usage',
    'name',
    'extension',
    'digest',
    'revoked',
    'revoked',
    'none',
  ])
  return { isNearlyGood: true, chance: (aspect) => aspect === only }
}

/**
 * An authority whose root the host trusts, with a chain that the host allows, and if need be one whose list it checks. If the issuer
 * is to be peculiar, another one below such a root.
 */
function suitableIssuer(
  random: Random,
  authorities: readonly Authority[],
  { trusted, depth, listed }: HostFacts,
  { isPeculiar, isRevoked }: { readonly isPeculiar: boolean; readonly isRevoked: boolean },
): Authority {
  const rooted = authorities.filter((one) => trusted.includes(lineOf(one).at(-1)?.name ?? ''))
  const sound = rooted.filter((one) => one.isSound && lineOf(one).length <= depth)
  if (isPeculiar) return random.pick(rooted.length > sound.length ? rooted.filter((one) => !sound.includes(one)) : authorities)
  const checked = isRevoked ? sound.filter(({ name }) => listed.includes(name)) : []
  return random.pick([checked, sound, rooted].find((choice) => choice.length > 0) ?? authorities)
}

/** A client of random making, of one of the hosts. */
export function randomClient(
  random: Random,
  hosts: readonly HostFacts[],
  authorities: ReadonlyMap<string, Authority>,
  keys: ClientKeys,
): Client {
  const version = random.pick(['TLSv1.2', 'TLSv1.3'] as const)
  const { isNearlyGood, chance } = chooseAspects(random)
  const isRevoked = chance('revoked')
  const isAboveRevoked = chance('above')
  const checking = hosts.filter(({ listed, trusted }) =>
    isAboveRevoked ? listed.includes('root') && trusted.includes('root') : listed.length > 0,
  )
  const isChecked = isNearlyGood && (isRevoked || isAboveRevoked) && checking.length > 0
  const facts = random.pick(isChecked ? checking : hosts)
  const [host, path] = [facts.name, `/${random.pick(FOLDERS)}f.txt`]
  if (random.percent(5)) return { about: `nobody, ${version}`, version, host, path, certificates: null, key: '', signer: null }
  const kind = random.pick(KEY_KINDS)
  const key = keys[kind]
  const all = [...authorities.values()]
  const revokedAuthority = isAboveRevoked ? authorities.get('revoked') : undefined
  const anyIssuer = isNearlyGood
    ? suitableIssuer(random, all, facts, { isPeculiar: chance('issuer'), isRevoked })
    : random.pick([...all, ...all.slice(0, 6)])
  const issuer = revokedAuthority ?? anyIssuer
  const isSelfSigned = chance('self-signed')
  const unusual = <T>(aspect: Aspect, usual: T, others: readonly Named<T>[]): Named<T> =>
    chance(aspect) ? random.pick(others) : ['', usual]
  const [dates, { notBefore, notAfter }] = unusual('dates', validity(), [
    ['expired', { notBefore: inDays(-30), notAfter: inDays(-1) }],
    ['not yet valid', { notBefore: inDays(1), notAfter: inDays(30) }],
    ['backwards', { notBefore: inDays(10), notAfter: inDays(-10) }],
    ['very long', { notBefore: new Date('1951-01-01'), notAfter: new Date('9999-12-31T23:59:59Z') }],
  ])
  const [usages, extendedUsage] = unusual(
    'purpose',
    [purpose(false, CLIENT_AUTH)],
    [
      ['no purpose', []],
      ['for servers', [purpose(false, SERVER_AUTH)]],
      ['for code', [purpose(false, CODE_SIGNING)]],
      ['for anything', [purpose(false, ANY)]],
      ['critically for servers', [purpose(true, SERVER_AUTH)]],
      ['critically for clients', [purpose(true, CLIENT_AUTH)]],
      ['for both', [purpose(false, SERVER_AUTH, CLIENT_AUTH)]],
    ],
  )
  const [use, keyUsage] = unusual(
    'usage',
    [usage(USUAL_USAGE)],
    [
      ['no key usage', []],
      ['key agreement only', [usage(0x08)]],
      ['encipherment only', [usage(0x20)]],
      ['signs certificates', [usage(0x04)]],
    ],
  )
  const [name, subject] = unusual<MadeName>(
    'name',
    [
      [O, 'utf8', 'Example'],
      [CN, 'utf8', 'Alice'],
    ],
    [
      ['NUL', [[CN, 'utf8', 'alice\0.evil.test']]],
      ['colon', [[CN, 'utf8', 'alice:password']]],
      ['wildcard', [[CN, 'utf8', '*.example.test']]],
      ['empty', []],
      [
        'two names',
        [
          [CN, 'utf8', 'first'],
          [CN, 'utf8', 'second'],
          [11, 'printable', 'a unit'],
        ],
      ],
      [
        'signs',
        [
          [CN, 'utf8', 'a+b,c"d\\e<f>;g=h#i/j'],
          [O, 'utf8', ' blank '],
        ],
      ],
      ['umlauts', [[CN, 'utf8', 'Jürgen Groß']]],
      ['two-byte text', [[CN, 'bmp', 'Łódź']]],
      ['controls', [[CN, 'utf8', 'a\r\nX-Injected: b\t\x01\x7f']]],
      ['long', [[CN, 'utf8', 'n'.repeat(700)]]],
    ],
  )
  const [more, extra] = unusual<readonly Buffer[]>(
    'extension',
    [],
    [
      ['an unknown critical extension', [unknownExtension(true, 5)]],
      ['an unknown extension', [unknownExtension(false, 5)]],
      ['a huge extension', [unknownExtension(false, 12_000)]],
      ['an extension of 90 KB', [unknownExtension(false, 90_000)]],
      ['an extension of 120 KB', [unknownExtension(false, 120_000)]],
      ['other names', [alternatives(['a@example.test', 'b@example.test'], ['a.test', '*.b.test'], 'alice@domain')]],
      ['a NUL in other names', [alternatives(['a\0@b.test'], ['c\0.test'], null)]],
      ['an authority', [constraints(true, null)]],
    ],
  )
  const serial = isRevoked ? 1 + random.below(5) : FIRST_GOOD_SERIAL + 1 + random.below(100_000)
  const plan = {
    serial,
    issuer: isSelfSigned ? subject : issuer.subject,
    subject,
    notBefore,
    notAfter,
    key,
    extensions: [...(more === 'an authority' ? [] : [constraints(false, null)]), ...keyUsage, ...extendedUsage, ...extra],
  }
  const canSignItself = isSelfSigned && kind !== 'rsa-pss'
  const [signed, signer] = unusual('signer', canSignItself ? key : issuer.key, [
    ['forged', authorities.get('unknown-root')?.key ?? issuer.key],
  ])
  const [digested, digest] = unusual<MadeDigest>('digest', 'sha256', [['SHA-1', 'sha1']])
  const own = pemText('CERTIFICATE', madeCertificate(plan, signer, digest))
  const line = isSelfSigned ? [] : lineOf(issuer)
  const [sends, along] = unusual(
    'along',
    line.filter(({ above }) => above !== null),
    [
      ['none along', []],
      ['the root along', line],
      ['backwards along', [...line].reverse()],
      ['one along', line.slice(0, 1)],
      ['foreign ones along', [...authorities.values()]],
      ['doubles along', [...line, ...line, ...line]],
      ['very many along', Array.from({ length: MANY }, () => line).flat()],
    ],
  )
  const peculiar = [dates, usages, use, name, more, signed, digested, sends, serial < FIRST_GOOD_SERIAL ? 'revoked' : '']
  const origin = isSelfSigned ? 'self-signed' : `by ${issuer.name}`
  return {
    about: [version, path, kind, origin, ...peculiar.filter((word) => word !== '')].join(', '),
    version,
    host,
    path,
    certificates: [own, ...along.map(({ pem }) => pem)].join(''),
    key: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    signer,
  }
}
