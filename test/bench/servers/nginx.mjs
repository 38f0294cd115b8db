import { join } from 'node:path'
import { isInstalled, versionOf } from './programs.mjs'

/** Folders that nginx creates at its start; the built-in ones may belong to the system's own server. */
const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']

export const nginx = {
  name: 'nginx',
  isInstalled: () => isInstalled('nginx'),
  version: () => versionOf('nginx'),
  command: ({ root }) => ['nginx', '-p', root, '-e', join(root, 'logs/error_log'), '-c', join(root, 'server.conf')],

  /** Undefined: nginx has no equivalent. */
  configuration({ nginx: scenario, tls, http2 }, { root, docs, port }) {
    if (scenario === undefined) return undefined
    return [
      'daemon off;',
      'worker_processes 1;',
      ...(process.getuid() === 0 ? ['user daemon daemon;'] : []),
      `pid "${root}/logs/nginx.pid";`,
      `error_log "${root}/logs/error_log" error;`,
      'events { worker_connections 4096; }',
      'http {',
      '  types { text/html html; }',
      '  default_type application/octet-stream;',
      ...TEMPORARY.map((name) => `  ${name}_temp_path "${root}/logs/${name}";`),
      '  sendfile on;',
      '  tcp_nopush on;',
      '  keepalive_requests 1000000000;',
      '  log_format common \'$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent\';',
      `  access_log "${root}/logs/access_log" common;`,
      ...(scenario.http ?? []).map((line) => `  ${line}`),
      '  server {',
      `    listen 127.0.0.1:${port}${tls === undefined ? '' : ' ssl'}${http2 === undefined ? '' : ' http2'};`,
      ...tlsLines(tls, root).map((line) => `    ${line}`),
      '    server_name localhost;',
      `    root "${docs}";`,
      '    location / {',
      ...scenario.location.map((line) => `      ${line}`),
      '    }',
      '  }',
      '}',
      '',
    ].join('\n')
  },
}

/** TLS 1.3; sessions are resumed by tickets, or not at all. */
function tlsLines(tls, root) {
  if (tls === undefined) return []
  const sessions = tls.resumes
    ? ['ssl_session_cache shared:bench:1m;', 'ssl_session_tickets on;']
    : ['ssl_session_cache off;', 'ssl_session_tickets off;']
  return [
    'ssl_protocols TLSv1.3;',
    `ssl_certificate ${join(root, 'conf/tls.crt')};`,
    `ssl_certificate_key ${join(root, 'conf/tls.key')};`,
    ...sessions,
  ]
}
