import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { freePort } from '../fixtures/free-port.ts'
import { MODULES, type Owner, StagedServer } from '../fixtures/staged-server.ts'
import { type PairFiles, TlsAuthority } from '../fixtures/tls-authority.ts'
import type { Ports } from './visits.ts'

const DEFAULTS = join(import.meta.dirname, '../../conf/extra/tls-defaults.conf')
const HTPASSWD = join(import.meta.dirname, '../../dist/bin/htpasswd')
const FOLDERS = ['basic', 'members', 'both', 'folder']

/** The text of each page. */
export const PAGE = 'for those who may read it\n'
export const USER = 'alice'
export const PASSWORD = 'a secret'

/** A server with pages that are protected by passwords, certificates, or both. */
export interface ClientsSite {
  readonly server: StagedServer
  readonly ports: Ports
  /** The file of the authority of the server's certificate. */
  readonly authority: string
  readonly certificates: Readonly<Record<'member' | 'stranger', PairFiles>>
}

export async function startClientsSite(owner: Owner): Promise<ClientsSite> {
  const server = await StagedServer.make(owner)
  const authority = new TlsAuthority(server.path('certificates'), 'Authority of the server')
  const members = new TlsAuthority(server.path('members'), 'Authority of the members')
  const strangers = new TlsAuthority(server.path('strangers'), 'Another authority')
  const own = authority.issue('localhost', { hosts: ['localhost', '127.0.0.1'] })
  const ports = { asking: server.port, silent: await freePort() }
  execFileSync(HTPASSWD, ['-cbB', server.path('conf/users'), USER, PASSWORD], { stdio: 'ignore' })
  for (const folder of FOLDERS) server.file(`htdocs/${folder}/page.txt`, PAGE)
  const basic = ['AuthType Basic', 'AuthName "Test pages"', 'AuthBasicProvider file', `AuthUserFile ${server.path('conf/users')}`]
  server.configure(
    ...['authn_core', 'authn_file', 'auth_basic', 'authz_core', 'authz_user', 'headers', 'mime', 'socache_shmcb', 'ssl'].map(
      (name) => `LoadModule ${name}_module ${join(MODULES, `mod_${name}.mjs`)}`,
    ),
    `TypesConfig ${join(import.meta.dirname, '../../conf/mime.types')}`,
    `Include ${DEFAULTS}`,
    // Chromium would remember it for all ports.
    'Header always unset Strict-Transport-Security',
    'CustomLog logs/access_log "%q %>s %{SSL_PROTOCOL}x %{SSL_CLIENT_S_DN_CN}x %u"',
    `Listen 127.0.0.1:${ports.silent}`,
    `SSLCertificateFile ${own.certificate}`,
    `SSLCertificateKeyFile ${own.key}`,
    `SSLCACertificateFile ${members.certificate}`,
    ...section('Directory "@ROOT@/htdocs/basic"', ...basic, 'Require valid-user'),
    ...section('Directory "@ROOT@/htdocs/members"', 'Require ssl-verify-client'),
    ...section(
      'Directory "@ROOT@/htdocs/both"',
      ...basic,
      ...section('RequireAll', 'Require ssl-verify-client', 'Require valid-user'),
    ),
    ...section('Directory "@ROOT@/htdocs/folder"', 'SSLVerifyClient require', 'Require all granted'),
    ...section(`VirtualHost *:${ports.asking}`, 'SSLEngine on', 'SSLVerifyClient optional'),
    ...section(`VirtualHost *:${ports.silent}`, 'SSLEngine on'),
  )
  await server.start()
  const certificates = {
    member: members.issue('member', { purpose: 'clientAuth' }),
    stranger: strangers.issue('stranger', { purpose: 'clientAuth' }),
  }
  return { server, ports, authority: authority.certificate, certificates }
}

function section(opening: string, ...lines: readonly string[]): readonly string[] {
  return [`<${opening}>`, ...lines, `</${opening.split(' ', 1)[0]}>`]
}
