import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProbedSite } from '../probed-site.ts'
import { serverFolder } from './foreground.ts'

const MODULES = ['authz_core', 'authz_user', 'authn_core', 'authn_file', 'auth_basic', 'mime', 'dir', 'alias']

/** The common configuration of Apache httpd and our server. */
export interface Dialect {
  readonly name: string
  readonly module: (name: string) => string
  /** Lines about processes. */
  readonly processes: readonly string[]
}

/** Writes the configuration of a server; the words that run it in the foreground. */
export function configure(program: string, { name, module, processes }: Dialect, site: ProbedSite, port: number): string[] {
  const root = serverFolder(site.root, name)
  const file = join(root, 'httpd.conf')
  const lines = [
    ...processes,
    ...MODULES.map((one) => `LoadModule ${one}_module ${module(one)}`),
    `ServerRoot "${root}"`,
    'ServerName localhost',
    `Listen 127.0.0.1:${port}`,
    ...(process.geteuid?.() === 0 ? ['User daemon', 'Group daemon'] : []),
    'StartServers 1',
    'PidFile logs/httpd.pid',
    'ErrorLog logs/error_log',
    'TypesConfig /dev/null',
    'AddType text/plain .txt',
    `DocumentRoot "${site.docs}"`,
    'Redirect 204 /nothing',
    `<Directory "${site.root}">`,
    '  Require all granted',
    '</Directory>',
    '<Location "/private">',
    '  AuthType Basic',
    '  AuthName probes',
    `  AuthUserFile "${site.users}"`,
    '  Require valid-user',
    '</Location>',
    `<VirtualHost 127.0.0.1:${port}>`,
    '  ServerName localhost',
    '</VirtualHost>',
    `<VirtualHost 127.0.0.1:${port}>`,
    '  ServerName other.example',
    `  DocumentRoot "${site.other}"`,
    '</VirtualHost>',
    '',
  ]
  writeFileSync(file, lines.join('\n'))
  return [program, '-D', 'FOREGROUND', '-d', root, '-f', file]
}
