import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MODULES, type StagedServer } from '../fixtures/staged-server.ts'
import { type PairFiles, TlsAuthority } from '../fixtures/tls-authority.ts'

/** The virtual hosts: one as usual, one without tickets, one for clients with certificates. */
export const TLS_HOSTS = ['public.test', 'stateful.test', 'members.test'] as const
export type TlsHost = (typeof TLS_HOSTS)[number]

/** Ways to make the files of a certificate unusable. */
export const DAMAGES = ['cut short', 'the key of another', 'empty', 'text', 'no key'] as const
export type Damage = (typeof DAMAGES)[number]

/** How clients of members.test are verified. */
export interface MemberRules {
  readonly verifyClient: 'require' | 'optional'
  readonly verifyDepth: number
  /** Whether clients of a second authority are trusted as well. */
  readonly trustsOthers: boolean
}

/** Clients of these authorities. */
export type Membership = 'member' | 'other'

/** Certificates, keys and virtual hosts of a server that speaks TLS. */
export class TlsHosts {
  readonly #server: StagedServer
  readonly #authority: TlsAuthority
  readonly #authorities: Readonly<Record<Membership, TlsAuthority>>
  readonly #clients: Readonly<Record<Membership, PairFiles>>

  constructor(server: StagedServer) {
    this.#server = server
    this.#authority = new TlsAuthority(server.path('tls'), 'Authority of the servers')
    this.#authorities = {
      member: new TlsAuthority(server.path('tls/member'), 'Authority of the members'),
      other: new TlsAuthority(server.path('tls/other'), 'Authority of the others'),
    }
    const client = (membership: Membership): PairFiles =>
      this.#authorities[membership].issue(membership, { purpose: 'clientAuth' })
    this.#clients = { member: client('member'), other: client('other') }
  }

  /** Lines of the configuration. @param ssl the file of the module */
  static lines(ssl: string = join(MODULES, 'mod_ssl.so')): readonly string[] {
    return [
      `LoadModule socache_shmcb_module ${join(MODULES, 'mod_socache_shmcb.so')}`,
      `LoadModule ssl_module ${ssl}`,
      'SSLSessionCache shmcb:logs/sessions(4000000)',
      // On a busy machine, a request may be in transit when a shorter time has passed.
      'KeepAliveTimeout 120',
      'Include conf/hosts.conf',
    ]
  }

  /** The authority that clients trust, in PEM. */
  trusted(): string {
    return readFileSync(this.#authority.certificate, 'latin1')
  }

  /** Certificate and key of a client, in PEM. */
  client(membership: Membership): { readonly cert: string; readonly key: string } {
    const { certificate, key } = this.#clients[membership]
    return { cert: readFileSync(certificate, 'latin1'), key: readFileSync(key, 'latin1') }
  }

  /** Writes new certificates and keys for all hosts. @param commonName by which clients recognise them */
  renew(commonName: string, keyType: 'ec' | 'rsa'): void {
    for (const host of TLS_HOSTS) this.#authority.issue(host, { hosts: [host], keyType, commonName })
  }

  /** Makes the files of one host unusable. */
  damage(host: TlsHost, damage: Damage): void {
    const [certificate, key] = ['crt', 'key'].map((type) => this.#server.path(`tls/${host}.${type}`))
    switch (damage) {
      case 'cut short':
        return writeFileSync(certificate, readFileSync(certificate).subarray(0, 300))
      case 'the key of another':
        return copyFileSync(this.#clients.other.key, key)
      case 'empty':
        return writeFileSync(certificate, '')
      case 'text':
        return writeFileSync(certificate, 'There will be a certificate here.\n')
      default:
        return writeFileSync(key, '')
    }
  }

  /** Writes the virtual hosts. */
  configure({ verifyClient, verifyDepth, trustsOthers }: MemberRules): void {
    const files = [this.#authorities.member, ...(trustsOthers ? [this.#authorities.other] : [])]
    this.#server.file('tls/clients.crt', files.map(({ certificate }) => readFileSync(certificate, 'latin1')).join(''))
    const own: Readonly<Record<TlsHost, readonly string[]>> = {
      'public.test': [],
      'stateful.test': ['SSLSessionTickets off'],
      'members.test': [
        'SSLCACertificateFile tls/clients.crt',
        `SSLVerifyClient ${verifyClient}`,
        `SSLVerifyDepth ${verifyDepth}`,
      ],
    }
    const hosts = TLS_HOSTS.map((host) =>
      [
        `<VirtualHost 127.0.0.1:${this.#server.port}>`,
        `ServerName ${host}`,
        'SSLEngine on',
        `SSLCertificateFile tls/${host}.crt`,
        `SSLCertificateKeyFile tls/${host}.key`,
        ...own[host],
        '</VirtualHost>',
      ].join('\n'),
    )
    this.#server.file('conf/hosts.conf', `${hosts.join('\n')}\n`)
  }
}
