import type { LintedConfiguration, LintedLine, SectionInfo, Server } from '@gatewright/api'
import t from 'tap'
import { servedBeforeAccess } from '../src/lint.ts'

/** A server with CacheEnable lines and one section with a line. */
function linted(
  enabled: string,
  kind: string,
  argument: string,
  line: readonly [name: string, text: string],
): LintedConfiguration {
  const server = { isVirtual: false, documentRoot: '/srv/www' } as unknown as Server
  const section = { kind, argument, title: `<${kind} "${argument}">`, parent: null, server } as unknown as SectionInfo
  const one = (name: string, text: string, number: number): LintedLine => ({ name, text, file: 'httpd.conf', line: number })
  return {
    servers: [server],
    sections: [section],
    now: 0,
    linesOf: (scope, directive) =>
      scope === server && directive === 'CacheEnable'
        ? [one('CacheEnable', enabled, 1)]
        : scope === section && directive === line[0]
          ? [one(...line, 2)]
          : [],
    words: (text) => text.split(' '),
  }
}

t.test('a protected path that the cache covers is found, with the line that protects it', (t) => {
  for (const [kind, argument, ...line] of [
    ['Location', '/private', 'Require', 'ip 192.0.2.1'],
    ['Directory', '/srv/www/private', 'Require', 'valid-user'],
    ['.htaccess', '/srv/www/private', 'Require', 'all denied'],
    ['Location', '/private', 'Deny', 'from all'],
  ] as const) {
    const found = servedBeforeAccess(linted('disk /', kind, argument, line), () => true)
    t.equal(found.length, 1)
    t.match(found[0], { line: 1, message: /\/private is sent to everybody.*httpd\.conf:2/, hint: /CacheDisable \/private/ })
  }
  t.end()
})

t.test('nothing is found where the cache does not answer before access control', (t) => {
  const guarded = ['Require', 'ip 192.0.2.1'] as const
  t.strictSame(
    servedBeforeAccess(linted('disk /', 'Location', '/private', guarded), () => false),
    [],
  )
  t.strictSame(
    servedBeforeAccess(linted('disk /public', 'Location', '/private', guarded), () => true),
    [],
  )
  t.strictSame(
    servedBeforeAccess(linted('disk /', 'Directory', '/elsewhere', guarded), () => true),
    [],
  )
  t.strictSame(
    servedBeforeAccess(linted('disk /', 'Location', '/', ['Require', 'all granted']), () => true),
    [],
  )
  t.end()
})
