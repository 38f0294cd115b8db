import { join } from 'node:path'
import { isInstalled, versionOf } from './programs.mjs'

export const lighttpd = {
  name: 'lighttpd',
  isInstalled: () => isInstalled('lighttpd'),
  version: () => versionOf('lighttpd'),
  command: ({ root }) => ['lighttpd', '-D', '-f', join(root, 'server.conf')],

  /** Undefined: there is no equivalent; TLS is a package of its own in Debian, and is not measured. */
  configuration({ lighttpd: scenario, tls, http2 }, { root, docs, port }) {
    if (scenario === undefined || tls !== undefined || http2 !== undefined) return undefined
    return [
      'server.modules = ( "mod_access", "mod_accesslog" )',
      'server.bind = "127.0.0.1"',
      `server.port = ${port}`,
      `server.document-root = "${docs}"`,
      `server.errorlog = "${root}/logs/error_log"`,
      `accesslog.filename = "${root}/logs/access_log"`,
      'accesslog.format = "%h %l %u %t \\"%r\\" %>s %b"',
      ...(process.getuid() === 0 ? ['server.username = "daemon"', 'server.groupname = "daemon"'] : []),
      'server.max-keep-alive-requests = 1000000000',
      'mimetype.assign = ( ".html" => "text/html", "" => "application/octet-stream" )',
      ...scenario.lines,
      '',
    ].join('\n')
  },
}
