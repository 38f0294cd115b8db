import type { FileTree } from '@gatewright/testing'
import type { Random } from '../fixtures/random.ts'
import { type Authority, listsOf, someOf } from './random-authorities.ts'

const HOSTS = 8
const DEFAULT_DEPTH = 1
/** Folders of each host: open to all, for users by FakeBasicAuth, and by SSLUserName. */
export const FOLDERS = ['', 'fake/', 'named/'] as const
/** Authorities that servers trust; the others are sent by clients. */
const TRUSTED = ['root', 'rsa-root', 'ed-root', 'level-1', 'level-2', 'expired', 'last', 'no-list-signer', 'short-root'] as const
const LISTED = ['root', 'rsa-root', 'level-1', 'level-2', 'level-3', 'no-list-signer', 'last'] as const
const KINDS = ['good', 'good', 'good', 'empty', 'expired', 'future', 'forged', 'numbered'] as const

/** Kinds that all lists of a host may have, so that they decide about most of its clients. */
const OF_ALL = ['good', 'good', 'good', 'expired', 'forged'] as const

/** What a client needs to know of a host to come close to being accepted. */
export interface HostFacts {
  readonly name: string
  /** Names of the authorities that it trusts. */
  readonly trusted: readonly string[]
  /** SSLVerifyDepth. */
  readonly depth: number
  /** Names of the authorities whose lists it checks. */
  readonly listed: readonly string[]
}

/** Virtual hosts with random rules for clients, and the files that they name. */
export interface RandomHosts {
  readonly hosts: readonly HostFacts[]
  readonly config: string
  readonly files: FileTree
  /** Of a host, for messages. */
  linesOf(name: string): string
}

export function randomHosts(random: Random, authorities: ReadonlyMap<string, Authority>): RandomHosts {
  const files: Record<string, string> = {}
  const texts = new Map<string, string>()
  const pemOf = (name: string): string => authorities.get(name)?.pem ?? ''
  const listOf = (name: string, kind: string): string => {
    const [issuer, other] = [authorities.get(name), authorities.get('unknown-root')]
    return issuer === undefined || other === undefined ? '' : listsOf(issuer, other)[kind]
  }
  const hosts = Array.from({ length: HOSTS }, (_, index): HostFacts => {
    const name = `h${index}.test`
    const trusted = someOf(random, TRUSTED, 45)
    files[`conf/${name}.ca`] = trusted.map(pemOf).join('')
    const depth = random.percent(75) ? random.below(6) : null
    const lines = [
      `SSLVerifyClient ${random.pick(['require', 'require', 'optional', 'optional', 'optional_no_ca', 'none'])}`,
      ...(depth === null ? [] : [`SSLVerifyDepth ${depth}`]),
      `SSLCACertificateFile conf/${name}.ca`,
    ]
    if (random.percent(25)) {
      files[`conf/${name}.dn`] = someOf(random, TRUSTED, 30).map(pemOf).join('')
      lines.push(`SSLCADNRequestFile conf/${name}.dn`)
    }
    let about = ''
    let checked: readonly string[] = []
    if (random.percent(75)) {
      const listed = someOf(random, LISTED, 55)
      const ofAll = random.percent(70) ? random.pick(OF_ALL) : null
      files[`conf/${name}.crl`] = listed.map((one) => listOf(one, ofAll ?? random.pick(KINDS))).join('')
      about = `, lists of ${listed.join(' ')}`
      const mode = random.pick(['leaf', 'leaf', 'leaf', 'chain', 'chain', 'chain', 'none'])
      checked = mode === 'none' ? [] : listed
      const excuse = mode !== 'none' && random.percent(60) ? ' no_crl_for_cert_ok' : ''
      lines.push(`SSLCARevocationFile conf/${name}.crl`, `SSLCARevocationCheck ${mode}${excuse}`)
    }
    texts.set(name, [...lines, `# trusts ${trusted.join(' ')}${about}`].join('\n'))
    return { name, trusted, depth: depth ?? DEFAULT_DEPTH, listed: checked }
  })
  const config = hosts.map(({ name }) => hostLines(name, texts.get(name) ?? '')).join('\n')
  return { hosts, config, files, linesOf: (name) => texts.get(name) ?? '' }
}

/** The folders are open, or for users whom certificates stand for. */
function hostLines(name: string, rules: string): string {
  return `<VirtualHost *:*>
ServerName ${name}
SSLEngine on
${rules}
<Location />
  Require all granted
</Location>
<Location /fake>
  AuthType Basic
  AuthName clients
  AuthBasicProvider file
  AuthUserFile conf/users
  SSLOptions +FakeBasicAuth
  Require valid-user
</Location>
<Location /named>
  SSLUserName SSL_CLIENT_S_DN_CN
  Require user Alice alice
</Location>
</VirtualHost>`
}
