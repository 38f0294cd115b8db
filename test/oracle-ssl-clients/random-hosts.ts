import type { FileTree } from '@gatewright/testing'
import type { Random } from '../fixtures/random.ts'
import { type Authority, listsOf, someOf } from './random-authorities.ts'

const HOSTS = 8
/** Authorities that servers trust; the others are sent by clients. */
const TRUSTED = ['root', 'rsa-root', 'ed-root', 'level-1', 'level-2', 'expired', 'last', 'no-list-signer'] as const
const LISTED = ['root', 'rsa-root', 'level-1', 'level-2', 'level-3', 'no-list-signer', 'last'] as const
const KINDS = ['good', 'good', 'good', 'empty', 'expired', 'future', 'forged', 'numbered'] as const

/** Virtual hosts with random rules for clients, and the files that they name. */
export interface RandomHosts {
  readonly names: readonly string[]
  readonly config: string
  readonly files: FileTree
  /** Of a host, for messages. */
  linesOf(name: string): string
}

export function randomHosts(random: Random, authorities: ReadonlyMap<string, Authority>): RandomHosts {
  const files: Record<string, string> = {}
  const texts = new Map<string, string>()
  const pemOf = (name: string): string => authorities.get(name)?.pem ?? ''
  const listOf = (name: string): string => {
    const [issuer, other] = [authorities.get(name), authorities.get('unknown-root')]
    return issuer === undefined || other === undefined ? '' : listsOf(issuer, other)[random.pick(KINDS)]
  }
  const names = Array.from({ length: HOSTS }, (_, index) => `h${index}.test`)
  for (const name of names) {
    const trusted = someOf(random, TRUSTED, 45)
    files[`conf/${name}.ca`] = trusted.map(pemOf).join('')
    const lines = [
      `SSLVerifyClient ${random.pick(['require', 'require', 'optional', 'optional', 'optional_no_ca', 'none'])}`,
      ...(random.percent(75) ? [`SSLVerifyDepth ${random.below(6)}`] : []),
      `SSLCACertificateFile conf/${name}.ca`,
    ]
    if (random.percent(25)) {
      files[`conf/${name}.dn`] = someOf(random, TRUSTED, 30).map(pemOf).join('')
      lines.push(`SSLCADNRequestFile conf/${name}.dn`)
    }
    let about = ''
    if (random.percent(45)) {
      const listed = someOf(random, LISTED, 55)
      files[`conf/${name}.crl`] = listed.map(listOf).join('')
      about = `, lists of ${listed.join(' ')}`
      const mode = random.pick(['leaf', 'chain', 'chain', 'none'])
      const excuse = mode !== 'none' && random.percent(30) ? ' no_crl_for_cert_ok' : ''
      lines.push(`SSLCARevocationFile conf/${name}.crl`, `SSLCARevocationCheck ${mode}${excuse}`)
    }
    texts.set(name, [...lines, `# trusts ${trusted.join(' ')}${about}`].join('\n'))
  }
  const host = (name: string): string =>
    `<VirtualHost *:*>\nServerName ${name}\nSSLEngine on\n${texts.get(name)}\n<Location />\nRequire all granted\n</Location>\n</VirtualHost>`
  return { names, config: names.map(host).join('\n'), files, linesOf: (name) => texts.get(name) ?? '' }
}
