import { type AnyModule, DECLINED, defineModule, FILTER_RANK, type OutputFilter } from '@gatewright/api'
import { site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import filter from '../src/index.ts'

/** Filters A and B, which add their name to the body; Z comes before them. */
const letters: AnyModule = defineModule({
  name: 'letters_module',
  source: 'mod_letters.c',
  register({ providers }) {
    const letter = (name: string, rank: number): OutputFilter => ({
      name,
      rank,
      filter: (_request, body) => (body instanceof Uint8Array ? Buffer.concat([body, Buffer.from(name)]) : body),
    })
    providers.outputFilters.add('A', letter('A', FILTER_RANK.contentSet))
    providers.outputFilters.add('B', letter('B', FILTER_RANK.contentSet))
    providers.outputFilters.add('Z', letter('Z', FILTER_RANK.resource))
  },
})

async function bodyOf(t: Test, config: string, target = '/f.txt'): Promise<string> {
  const server = await site({
    modules: [authzCore, letters, filter],
    config: `ForceType text/plain\n${config}`,
    files: { 'docs/f.txt': '>', 'docs/inner/f.txt': '>' },
  })
  t.teardown(() => server.close())
  return (await server.inject(target)).body
}

const inner = (...lines: readonly string[]): string => `\n<Directory "@ROOT@/docs/inner">\n${lines.join('\n')}\n</Directory>`

t.test('a media type selects filters, without its parameters and in any case', async (t) => {
  t.equal(await bodyOf(t, 'AddOutputFilterByType A;b text/html text/plain'), '>AB')
  t.equal(await bodyOf(t, 'ForceType "TEXT/plain; charset=utf-8"\nAddOutputFilterByType A text/plain'), '>A')
  t.equal(await bodyOf(t, 'AddOutputFilterByType A text/* text/html'), '>')
})

t.test('a response with another status than 200 is left as it is', async (t) => {
  const scripts: AnyModule = defineModule({
    name: 'scripts_module',
    source: 'mod_scripts.c',
    register({ hooks }) {
      hooks.handler.add((request) => {
        if (request.args === null) return DECLINED
        request.status = Number(request.args)
        return request.send('text/plain', '>')
      })
    },
  })
  const server = await site({
    modules: [authzCore, letters, filter, scripts],
    config: 'AddOutputFilterByType A text/plain\nFilterProvider x B true\nFilterChain x',
    files: { 'docs/f.txt': '>' },
  })
  t.teardown(() => server.close())
  t.equal((await server.inject('/f.txt?200')).body, '>AB')
  for (const status of [201, 302, 404, 500]) t.match(await server.inject(`/f.txt?${status}`), { status, body: '>' })
})

t.test('a filter of an inner section hides the one with the same name in outer sections', async (t) => {
  const config = `AddOutputFilterByType A text/plain${inner('AddOutputFilterByType A text/css', 'AddOutputFilterByType B text/plain')}`
  t.equal(await bodyOf(t, config, '/inner/f.txt'), '>B')
})

t.test('an expression selects a provider; of those that hold the one added last is used', async (t) => {
  const config = 'FilterProvider x A "%{QUERY_STRING} != \'none\'"\nFilterProvider x B "%{QUERY_STRING} == \'b\'"\nFilterChain x'
  t.equal(await bodyOf(t, config), '>A')
  t.equal(await bodyOf(t, config, '/f.txt?b'), '>B')
  t.equal(await bodyOf(t, config, '/f.txt?none'), '>')
})

t.test('a declared filter has the declared position, any other that of its provider', async (t) => {
  t.equal(await bodyOf(t, 'FilterProvider x A "true"\nFilterProvider y Z "true"\nFilterChain x y'), '>ZA')
  t.equal(
    await bodyOf(t, 'FilterDeclare x RESOURCE\nFilterProvider x A "true"\nFilterProvider y Z "true"\nFilterChain x y'),
    '>AZ',
  )
  t.equal(
    await bodyOf(t, 'FilterProvider y A "true"\nFilterDeclare x PROTOCOL\nFilterProvider x Z "true"\nFilterChain x y'),
    '>AZ',
  )
})

t.test('an undefined filter in a chain is logged', async (t) => {
  const server = await site({ modules: [authzCore, letters, filter], config: 'FilterChain nosuch', files: { 'docs/f.txt': '>' } })
  t.teardown(() => server.close())
  t.equal((await server.inject('/f.txt')).body, '>')
  t.match(server.errors(), [/\[filter:warn\] .*AH01380: Unknown filter nosuch not added$/])
})

t.test('an inner section may begin a new chain', async (t) => {
  const config = `FilterProvider x A "true"\nFilterProvider y B "true"\nFilterChain x${inner('FilterChain =y')}`
  t.equal(await bodyOf(t, config), '>A')
  t.equal(await bodyOf(t, config, '/inner/f.txt'), '>B')
})

t.test('mistakes of the configuration are reported', async (t) => {
  for (const [line, message] of [
    ['AddOutputFilterByType NOSUCH text/html', /Unknown filter provider NOSUCH/],
    ['FilterProvider x A "%{"', /Error parsing FilterProvider expression:/],
    ['FilterProtocol x change=yes', /FilterProtocol: No such filter/],
    ['FilterDeclare x\nFilterProtocol x A change=yes', /FilterProtocol: No such provider for this filter/],
    ['FilterTrace x 1', /Undeclared smart filter x/],
  ] as const) {
    await t.rejects(bodyOf(t, line), { message }, line)
  }
})
