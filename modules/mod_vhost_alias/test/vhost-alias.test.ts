import { site } from '@gatewright/testing'
import t from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import vhostAlias from '../src/index.ts'
import { compileNamePattern } from '../src/name-pattern.ts'

function fill(format: string, name = 'www.Example.com'): string | null {
  return compileNamePattern(format)?.({ name, port: 8080 }) ?? null
}

t.test('each specifier selects its part of the name, in lower case', async (t) => {
  const rows: readonly (readonly [string, string])[] = [
    ['/%0', '/www.example.com'],
    ['/%1/%2/%3', '/www/example/com'],
    ['/%-1/%-2/%-3', '/com/example/www'],
    ['/%2+', '/example.com'],
    ['/%-2+', '/www.example'],
    ['/%4/%-4/%9+', '/_/_/_'],
    ['/%2.1/%2.-1/%2.2+/%2.-2+', '/e/e/xample/exampl'],
    ['/%2.9', '/_'],
    ['/%0.1', '/w'],
    ['/%2.0', '/example'],
    ['/%p%%', '/8080%'],
    ['/UPPER/%1', '/UPPER/www'],
    ['/%1.1.1', '/w.1'],
  ]
  for (const [format, path] of rows) t.equal(fill(format), path, format)
})

t.test('an address is a name with four parts', async (t) => {
  t.equal(fill('/%1/%-1', '192.0.2.7'), '/192/7')
})

t.test('anything else after a percent sign is rejected', async (t) => {
  t.equal(fill('/%1.1.%2.-1.x'), '/w.e.x', 'after the choice of characters, a dot is text')
  for (const format of ['/%', '/%x', '/%-', '/%--1', '/%1.', '/%1.x', '/%1.-', '/%+1']) t.equal(fill(format), null, format)
})

t.test('files and DOCUMENT_ROOT are in the folder of the requested host name', async (t) => {
  const server = await site({
    modules: [authzCore, vhostAlias],
    config:
      'UseCanonicalName Off\nVirtualDocumentRoot "@ROOT@/sites/%-2"\n<Location "/root">\nErrorDocument 404 "%{DOCUMENT_ROOT}"\n</Location>',
    files: { 'docs/f': 'main', 'sites/example/f': 'example', 'sites/_/f': 'no such part' },
  })
  t.teardown(() => server.close())
  const get = (target: string, Host: string): Promise<string> =>
    server.inject({ target, headers: { Host } }).then(({ body }) => body)
  t.equal(await get('/f', 'www.example.com'), 'example')
  t.equal(await get('/f', 'WWW.EXAMPLE.COM:8080'), 'example')
  t.equal(await get('/f', 'localhost'), 'no such part')
  t.match(await get('/root', 'www.example.com'), /\/sites\/example$/)
})
