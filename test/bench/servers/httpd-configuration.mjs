import { join } from 'node:path'

/** Features that a typical site enables, whether or not the scenario needs them. */
const EVERYDAY = [
  'authz_core',
  'authz_host',
  'authn_core',
  'access_compat',
  'mime',
  'dir',
  'alias',
  'env',
  'setenvif',
  'headers',
  'status',
]

/**
 * The configuration in httpd's syntax, for Apache httpd and for us. One worker process; access is denied
 * except in the scenario's folder.
 * @param {{ path: (name: string) => string, process: readonly string[] }} dialect file of a module, and lines
 *   about processes
 */
export function httpdConfiguration(scenario, { root, docs, port, mimeTypes }, dialect) {
  const { server = [], directory, override = 'None', modules = [] } = scenario.httpd
  const http2 = scenario.http2 === undefined ? [] : ['http2']
  const secure = scenario.tls === undefined ? [] : ['ssl', 'socache_shmcb']
  return [
    ...dialect.process,
    ...[...EVERYDAY, ...modules, ...http2, ...secure].map((name) => `LoadModule ${name}_module ${dialect.path(`mod_${name}`)}`),
    'StartServers 1',
    `ServerRoot "${root}"`,
    'ServerName localhost',
    `Listen 127.0.0.1:${port}`,
    ...(process.getuid() === 0 ? ['User daemon', 'Group daemon'] : []),
    'PidFile logs/httpd.pid',
    'ErrorLog logs/error_log',
    'LogLevel warn',
    'CustomLog logs/access_log "%h %l %u %t \\"%r\\" %>s %b"',
    `TypesConfig "${mimeTypes}"`,
    'KeepAlive On',
    'MaxKeepAliveRequests 0',
    ...http2.map(() => `Protocols ${scenario.tls === undefined ? 'h2c' : 'h2'} http/1.1`),
    `DocumentRoot "${docs}"`,
    '<Directory "/">',
    '  AllowOverride None',
    '  Require all denied',
    '</Directory>',
    `<Directory "${docs}">`,
    `  AllowOverride ${override}`,
    ...directory.map((line) => `  ${line}`),
    '</Directory>',
    ...server,
    ...tlsLines(scenario.tls),
    '',
  ].join('\n')
}

/** The arguments that run a server in the foreground. */
export function foreground(program, root) {
  return [program, '-D', 'FOREGROUND', '-d', root, '-f', join(root, 'server.conf')]
}

/** TLS 1.3 for all requests; sessions are resumed by tickets and a cache, or not at all. */
function tlsLines(tls) {
  if (tls === undefined) return []
  return [
    'SSLEngine on',
    'SSLProtocol TLSv1.3',
    'SSLCertificateFile conf/tls.crt',
    'SSLCertificateKeyFile conf/tls.key',
    ...(tls.resumes ? ['SSLSessionCache shmcb:logs/sessions(512000)'] : ['SSLSessionCache none', 'SSLSessionTickets off']),
  ]
}
