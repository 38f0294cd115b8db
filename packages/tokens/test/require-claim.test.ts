import { claimSources, defineModule } from '@gatewright/api'
import { configError, site } from '@gatewright/testing'
import t from 'tap'
import authzCore from '../../../modules/mod_authz_core/src/index.ts'
import { addRequireClaim } from '../src/index.ts'

/** A module that takes the claims of a request from one of its fields. */
function source(form: 'values' | 'pairs') {
  return defineModule({
    name: `claims_${form}_module`,
    source: `mod_claims_${form}.c`,
    register(host) {
      host.providers.of(claimSources).add(form, {
        form,
        claims: (request) => {
          const text = request.headersIn.get(`X-${form}`)
          const value: Record<string, unknown> | undefined = text === undefined ? undefined : JSON.parse(text)
          return value
        },
      })
      addRequireClaim(host)
    },
  })
}

t.test('two modules share Require claim, and each reads an ambiguous line in its own form', async (t) => {
  const server = await site({
    modules: [authzCore, source('values'), source('pairs')],
    config: ['/a|claim a:b c:d', '/b|claim a b', '/c|claim a:b']
      .map((line) => line.split('|'))
      .map(([path, rule]) => `<Location "${path}">\nRequire ${rule}\n</Location>`)
      .join('\n'),
  })
  t.teardown(() => server.close())
  const ask = async (target: string, form: string, claims: object): Promise<number> =>
    (await server.inject({ target, headers: { [`X-${form}`]: JSON.stringify(claims) } })).status
  t.equal(await ask('/a', 'values', { 'a:b': 'c:d' }), 404, 'a claim and its value')
  t.equal(await ask('/a', 'values', { a: 'b' }), 403)
  t.equal(await ask('/a', 'pairs', { a: 'b' }), 404, 'pairs')
  t.equal(await ask('/a', 'pairs', { c: 'd' }), 404)
  t.equal(await ask('/a', 'pairs', { 'a:b': 'c:d' }), 403)
  for (const form of ['values', 'pairs']) {
    t.equal(await ask('/b', form, { a: ['b'] }), 404)
    t.equal(await ask('/b', form, { a: ['c'] }), 403)
    t.equal(await ask('/c', form, { a: 'b' }), 404)
    t.equal(await ask('/c', form, { a: 'bc' }), 403)
  }
})

t.test('mistakes in Require claim are reported', async (t) => {
  const error = async (rule: string): Promise<string> =>
    (await configError({ modules: [authzCore, source('pairs')], config: `<Location />\nRequire ${rule}\n</Location>` })) ?? ''
  t.match(await error('claim'), /needs a claim and values/)
  t.match(await error('claim name'), /needs a claim and values/)
  t.match(await error('claim "name~("'), /cannot compile the pattern '\('/)
})
