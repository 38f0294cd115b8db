import { join } from 'node:path'
import { isInstalled, versionOf } from './programs.mjs'

export const caddy = {
  name: 'caddy',
  isInstalled: () => isInstalled('caddy'),
  version: () => `Caddy/${versionOf('caddy', 'version', /\d[\w.]*/)}`,
  command: ({ root }) => ['caddy', 'run', '--config', join(root, 'server.conf'), '--adapter', 'caddyfile'],

  /** Undefined: there is no equivalent. Its text format cannot turn off the tickets of TLS; HTTP/2 is not measured. */
  configuration({ caddy: scenario, tls, http2 }, { root, docs, port }) {
    if (scenario === undefined || http2 !== undefined || tls?.resumes === false) return undefined
    return [
      '{',
      '  admin off',
      '  auto_https off',
      `  storage file_system "${root}/logs"`,
      '}',
      `${tls === undefined ? 'http' : 'https'}://:${port} {`,
      '  bind 127.0.0.1',
      ...(tls === undefined
        ? []
        : [
            `  tls "${join(root, 'conf/tls.crt')}" "${join(root, 'conf/tls.key')}" {`,
            '    protocols tls1.3',
            '    alpn http/1.1',
            '  }',
          ]),
      `  root * "${docs}"`,
      '  log {',
      `    output file "${root}/logs/access_log" {`,
      '      roll_disabled',
      '    }',
      '  }',
      ...scenario.site.map((line) => `  ${line}`),
      '}',
      '',
    ].join('\n')
  },
}
