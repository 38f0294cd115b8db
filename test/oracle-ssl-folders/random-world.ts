import { seededNumbers } from '@gatewright/testing'

/** A client: its certificate, if it has one, and the versions and ciphers that it offers. */
export interface Visitor {
  readonly certificate: string | null
  readonly key: string
  readonly version: 'TLSv1.2' | 'TLSv1.3'
  readonly ciphers: string
}

/** One request. */
export interface Visit {
  readonly folder: string
  /** Bytes of its body. */
  readonly length: number
}

/** What one connection is used for. */
export interface Journey {
  readonly host: string
  readonly visitor: Visitor
  readonly visits: readonly Visit[]
}

/** Servers and folders with random TLS settings, and what clients ask them. */
export interface World {
  readonly seed: number
  /** Lines after the names of files. */
  readonly config: string
  readonly journeys: readonly Journey[]
  /** The lines of a folder, for messages. */
  linesOf(host: string, folder: string): string
  /** True where this server is known to be stricter than httpd. */
  isDeliberate(journey: Journey): boolean
}

const HOSTS = 6
const FOLDERS = 8
const CLIENTS: readonly (readonly [string | null, string])[] = [
  [null, ''],
  ['alice', 'alice'],
  ['deep-chain', 'deep'],
  ['expired', 'expired'],
  ['future', 'future'],
  ['revoked', 'revoked'],
  ['stranger', 'stranger'],
  ['selfsigned-client', 'selfsigned-client'],
]
const STRONG = 'ECDHE-RSA-AES256-GCM-SHA384'
const WEAK = 'ECDHE-RSA-AES128-GCM-SHA256'
const CIPHERS = [STRONG, WEAK, `${WEAK}:${STRONG}`, `${STRONG}:${WEAK}`]
const MODES = ['none', 'optional', 'require', 'optional_no_ca']
const LISTS = ['ca.crl', 'cas.crl', 'intermediate.crl', 'expired.crl', 'other-ca.crl']
const REQUIRES = [
  'Require all granted',
  'Require all granted',
  'Require all granted',
  'Require all denied',
  'Require ssl',
  'Require ssl-verify-client',
  'AuthType Basic\nAuthName r\nAuthBasicProvider file\nAuthUserFile conf/users\nRequire valid-user',
  'AuthType Basic\nAuthName r\nAuthBasicProvider file\nAuthUserFile conf/users\nRequire valid-user\nSSLOptions +FakeBasicAuth',
  'Require user "Alice Liddell"\nSSLUserName SSL_CLIENT_S_DN_CN',
  'Require valid-user\nSSLUserName SSL_CLIENT_S_DN_CN',
]
const CONDITIONS = [
  '%{SSL_CLIENT_VERIFY} eq "SUCCESS"',
  '%{SSL_CLIENT_VERIFY} ne "NONE"',
  '%{SSL_CIPHER_USEKEYSIZE} >= 256',
  '%{SSL_CLIENT_S_DN_CN} eq "Alice Liddell"',
  '%{SSL_PROTOCOL} in {"TLSv1.2", "TLSv1.1"}',
]
const OPTIONS = ['+StrictRequire', '+StrictRequire', '+OptRenegotiate', '+FakeBasicAuth', '+StdEnvVars', 'StdEnvVars']

/** What of a folder or a host the known differences depend on. */
interface Depths {
  readonly mode: string
  readonly depth: number | null
}

const DEFAULT_DEPTH = 1

/** Makes the same world for the same seed. */
export function randomWorld(seed: number, journeys: number): World {
  const below = seededNumbers(seed)
  const one = <T>(list: readonly T[]): T => list[below(list.length)]
  const maybe = (percent: number, line: () => string): string[] => (below(100) < percent ? [line()] : [])
  const lines = new Map<string, string>()
  const depths = new Map<string, Depths>()

  function verification(place: string, percent: number): string[] {
    const mode = below(100) < percent ? one(MODES) : null
    const depth = below(100) < 25 ? below(4) : null
    depths.set(place, { mode: mode ?? 'none', depth })
    return [
      ...(mode === null ? [] : [`SSLVerifyClient ${mode}`]),
      ...(depth === null ? [] : [`SSLVerifyDepth ${depth}`]),
      ...maybe(
        20,
        () => `SSLCipherSuite ${one([STRONG, WEAK, 'HIGH', 'AES256', 'NONSENSE'].slice(0, place.includes('/') ? 5 : 4))}`,
      ),
    ]
  }

  function folder(place: string): string {
    const text = [
      ...verification(place, 60),
      ...maybe(20, () => 'SSLRequireSSL'),
      ...maybe(20, () => `SSLRequire ${one(CONDITIONS)}`),
      ...maybe(20, () => `SSLRequire ${one(CONDITIONS)}`),
      ...maybe(40, () => `SSLOptions ${one(OPTIONS)}`),
      ...maybe(20, () => `SSLRenegBufferSize ${one([0, 5, 10])}`),
      ...maybe(30, () => `Satisfy ${one(['Any', 'Any', 'All'])}`),
      one(REQUIRES),
    ].join('\n')
    lines.set(place, text)
    return text
  }

  function host(name: string): string {
    const own = [
      ...verification(name, 60),
      ...maybe(30, () => `SSLOptions ${one(OPTIONS)}`),
      ...maybe(
        20,
        () =>
          `SSLCARevocationFile conf/${one(LISTS)}\nSSLCARevocationCheck ${one(['leaf', 'chain'])}${one(['', ' no_crl_for_cert_ok'])}`,
      ),
    ].join('\n')
    lines.set(name, own)
    const folders = Array.from({ length: FOLDERS }, (_, index) => {
      const path = `/f${index}`
      return `<Location "${path}">\n${folder(`${name}${path}`)}\n</Location>`
    })
    return `<VirtualHost *:*>\nServerName ${name}\nSSLEngine on\n${own}\n${folders.join('\n')}\n</VirtualHost>`
  }

  const names = Array.from({ length: HOSTS }, (_, index) => `h${index}.test`)
  // httpd applies that of the first host to all.
  const order = maybe(50, () => 'SSLHonorCipherOrder on')
  const config = [...order, ...names.map(host)].join('\n')

  function journey(): Journey {
    const [certificate, key] = one(CLIENTS)
    const version = one(['TLSv1.2', 'TLSv1.2', 'TLSv1.3'] as const)
    const visits = Array.from({ length: 1 + (below(2) === 0 ? below(4) : 0) }, () => ({
      folder: `f${below(FOLDERS)}`,
      length: below(4) === 0 ? below(12) : 0,
    }))
    return { host: one(names), visitor: { certificate, key, version, ciphers: one(CIPHERS) }, visits }
  }

  return {
    seed,
    config,
    journeys: Array.from({ length: journeys }, journey),
    linesOf: (name, path) => `${lines.get(name) ?? ''}\n-- ${path}:\n${lines.get(`${name}/${path}`) ?? ''}`,
    isDeliberate: ({ host: name, visits, visitor }) => {
      const read = visits.map(({ folder: path }) => lines.get(`${name}/${path}`) ?? '')
      const before = read.slice(0, -1)
      const isOld = visitor.version === 'TLSv1.2'
      // httpd takes an unknown cipher for the end of all ciphers of a connection.
      if (isOld && before.some((text) => text.includes('NONSENSE'))) return true
      // httpd forgets a depth that it has looked at, and looks at it in TLS 1.2 only where the mode changes.
      const ofHost = depths.get(name)?.depth ?? DEFAULT_DEPTH
      const used = visits.map(({ folder: path }) => depths.get(`${name}/${path}`)?.depth ?? ofHost)
      if (before.length > 0 ? used.some((depth) => depth !== ofHost) : isOld && used.some((depth) => depth < ofHost)) return true
      if (visitor.certificate === null) return false
      // After such a folder, httpd forgets that it did not trust the certificate.
      if (isOld && before.some((text) => text.includes('SSLVerifyClient none') && text.includes('SSLCipherSuite'))) return true
      // httpd remembers a certificate for FakeBasicAuth although another handshake was made without one.
      const isRemembered =
        read.some((text) => text.includes('SSLCipherSuite')) && `${lines.get(name)}${read.join('')}`.includes('FakeBasicAuth')
      if (isOld && before.length > 0 && isRemembered) return true
      // httpd serves a known certificate that it cannot verify.
      const isQuick = read.some((text) => text.includes('+OptRenegotiate') && /SSLVerifyClient optional$/m.test(text))
      return isOld && before.length > 0 && isQuick
    },
  }
}
