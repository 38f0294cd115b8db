import { join } from 'node:path'
import { isInstalled, versionOf } from './programs.mjs'

/** HAProxy writes its log to a descriptor or a system log: the shell opens a file for it. */
const IN_FOREGROUND = 'exec haproxy -db -f "$0" >>"$1"'

export const haproxy = {
  name: 'haproxy',
  isInstalled: () => isInstalled('haproxy'),
  version: () => `HAProxy/${versionOf('haproxy', '-v', /\d[\w.]*/)}`,
  command: ({ root }) => ['sh', '-c', IN_FOREGROUND, join(root, 'server.conf'), join(root, 'logs/access_log')],

  /** Undefined: HAProxy does not serve files. */
  configuration({ haproxy: scenario }, { port }) {
    if (scenario === undefined) return undefined
    return [
      'global',
      '  log stdout format raw local0',
      '  nbthread 1',
      ...(process.getuid() === 0 ? ['  user daemon', '  group daemon'] : []),
      'defaults',
      '  mode http',
      '  log global',
      '  option httplog',
      '  http-reuse always',
      '  timeout connect 10s',
      '  timeout client 60s',
      '  timeout server 60s',
      'frontend bench',
      `  bind 127.0.0.1:${port}`,
      ...scenario.frontend.map((line) => `  ${line}`),
      '  default_backend back',
      'backend back',
      '  server one 127.0.0.1:@BACKEND@',
      '',
    ].join('\n')
  },
}
