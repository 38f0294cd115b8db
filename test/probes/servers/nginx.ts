import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../fixtures/free-port.ts'
import type { ProbedSite } from '../probed-site.ts'
import type { Contestant } from './contestant.ts'
import { foreground, isInstalled, serverFolder } from './foreground.ts'

/** Folders that nginx creates at its start; the built-in ones may belong to the system's own server. */
const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']

export const nginx: Contestant = {
  name: 'nginx',
  lacks: [],
  isInstalled: () => isInstalled('nginx'),
  start: async (site) => {
    const port = await freePort()
    const root = serverFolder(site.root, 'nginx')
    const file = join(root, 'nginx.conf')
    writeFileSync(file, configuration(site, root, port).join('\n'))
    return foreground(['nginx', '-p', root, '-e', join(root, 'logs/error_log'), '-c', file], port)
  },
}

function configuration(site: ProbedSite, root: string, port: number): string[] {
  return [
    'daemon off;',
    'worker_processes 1;',
    ...(process.geteuid?.() === 0 ? ['user daemon daemon;'] : []),
    `pid "${root}/nginx.pid";`,
    `error_log "${root}/logs/error_log";`,
    'events { worker_connections 1024; }',
    'http {',
    '  types { text/plain txt; }',
    '  access_log off;',
    ...TEMPORARY.map((name) => `  ${name}_temp_path "${root}/${name}";`),
    '  server {',
    `    listen 127.0.0.1:${port} default_server;`,
    '    server_name localhost;',
    `    root "${site.docs}";`,
    '    location = /nothing { return 204; }',
    '    location /private {',
    '      auth_basic probes;',
    `      auth_basic_user_file "${site.users}";`,
    '    }',
    '  }',
    '  server {',
    `    listen 127.0.0.1:${port};`,
    '    server_name other.example;',
    `    root "${site.other}";`,
    '  }',
    '}',
    '',
  ]
}
