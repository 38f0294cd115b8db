import {
  type AnyModule,
  type AuthnProvider,
  type AuthzProvider,
  defineModule,
  directive,
  optionalFunction,
  providerGroup,
} from '@gatewright/api'
import { createServer, serverRoot, site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import { FunctionRegistry } from '../src/modules/function-registry.ts'
import { ProviderRegistry } from '../src/modules/provider-registry.ts'
import type { LoadedModule } from '../src/modules/registry.ts'
import { moduleOf, openModule, wordsModule } from './support/modules.ts'

const granting: AuthzProvider = { parse: () => () => 'granted' }
const denying: AuthzProvider = { parse: () => () => 'denied' }
const authn: AuthnProvider = { checkPassword: () => 'denied' }

/** A module of a configuration. */
function loaded(name: string): LoadedModule {
  return { module: moduleOf(name, () => undefined), index: 0, builtIn: true, file: null, shortName: name }
}

async function rejected(t: Test, modules: readonly AnyModule[], message: RegExp, config = ''): Promise<void> {
  const { root, remove } = serverRoot()
  t.teardown(remove)
  await t.rejects(createServer({ config: `ServerName x\nDocumentRoot docs\n${config}`, modules, serverRoot: root }), message)
}

t.test('a provider is found by group and name', async (t) => {
  const { authz, authn: passwords } = new ProviderRegistry().forModule(loaded('a'))
  authz.add('one', granting)
  authz.add('two', denying)
  passwords.add('one', authn)
  t.equal(authz.get('one'), granting)
  t.equal(authz.get('two'), denying)
  t.equal(passwords.get('one'), authn)
  t.equal(authz.get('ONE'), undefined)
  t.equal(passwords.get('two'), undefined)
  t.strictSame(authz.names(), ['one', 'two'])
})

t.test(
  'a second provider with the same name is rejected with both modules named, unless it declares that it replaces the first',
  async (t) => {
    const providers = new ProviderRegistry()
    const { authz } = providers.forModule(loaded('a'))
    const later = providers.forModule(loaded('b')).authz
    authz.add('ip', denying)
    const refusal = {
      message: 'the authz provider ip of mod_b.c is already registered by mod_a.c',
      hint: 'load only one of the two modules; a module that replaces the provider of another must pass { replace: true }',
    }
    t.throws(() => later.add('ip', granting), refusal)
    t.throws(() => later.add('ip', granting, { replace: false }), refusal)
    t.throws(() => authz.add('ip', granting), /the authz provider ip of mod_a\.c is already registered by mod_a\.c/)
    t.equal(authz.get('ip'), denying, 'the first one stays')
    later.add('ip', granting, { replace: true })
    t.equal(authz.get('ip'), granting)
    t.throws(() => authz.add('ip', denying), /the authz provider ip of mod_a\.c is already registered by mod_b\.c/)
  },
)

interface Gauge {
  read(): number
}

t.test('modules define groups of providers for each other; another version is another group', async (t) => {
  const GAUGES = providerGroup<Gauge>('gauge:unit', 1)
  const registry = new ProviderRegistry()
  const [a, b] = [registry.forModule(loaded('a')), registry.forModule(loaded('b'))]
  const metres: Gauge = { read: () => 1 }
  a.of(GAUGES).add('metre', metres)
  t.equal(b.of(providerGroup<Gauge>('gauge:unit', 1)).get('metre'), metres, 'a key with the same name and version is the same')
  t.equal(b.of(providerGroup<Gauge>('gauge:unit', 2)).get('metre'), undefined)
  t.strictSame(b.of(GAUGES).names(), ['metre'])
  t.throws(
    () => b.of(GAUGES).add('metre', metres),
    /the gauge:unit 1 provider metre of mod_b\.c is already registered by mod_a\.c/,
  )
  t.strictSame(registry.ofModules, [{ group: 'gauge:unit 1', names: ['metre'] }])
})

t.test('no provider can be added to the group of a module after the configuration was bound', async (t) => {
  const registry = new ProviderRegistry()
  const { of } = registry.forModule(loaded('a'))
  const early = of(providerGroup<Gauge>('gauge:unit'))
  const late: string[] = []
  registry.close((message) => late.push(message))
  for (const group of [early, of(providerGroup<Gauge>('gauge:new'))]) {
    t.throws(() => group.add('metre', { read: () => 1 }), /after the configuration was bound/)
  }
  t.equal(late.length, 2)
})

t.test('filters are found whatever the case of their names', async (t) => {
  const { outputFilters, inputFilters } = new ProviderRegistry().forModule(loaded('a'))
  const filter = { name: 'X', rank: 10, filter: <B>(_request: unknown, body: B): B => body }
  outputFilters.add('Deflate', filter)
  inputFilters.add('Inflate', filter)
  t.equal(outputFilters.get('DEFLATE'), filter)
  t.equal(inputFilters.get('inflate'), filter)
  t.throws(() => inputFilters.add('INFLATE', filter), /the input filter provider INFLATE of mod_a\.c is already registered/)
})

t.test('two modules with one provider are no configuration', async (t) => {
  const provides = (name: string): AnyModule => moduleOf(name, ({ providers }) => providers.authz.add('ip', granting))
  await rejected(t, [provides('a'), provides('b')], /the authz provider ip of mod_b\.c is already registered by mod_a\.c/)
  await rejected(
    t,
    ['a', 'b'].map((name) => moduleOf(name, ({ providers }) => providers.authn.add('file', authn))),
    /the authn provider file of mod_b\.c is already registered by mod_a\.c/,
  )
})

t.test('an optional function is found by its key once it is provided', async (t) => {
  const double = optionalFunction<(value: number) => number>('test:double')
  const found: unknown[] = []
  const asks = moduleOf('asks', ({ functions, hooks }) => {
    found.push(functions.get(double))
    hooks.postConfig.add(() => void found.push(functions.get(double)?.(21)))
  })
  const offers = moduleOf('offers', ({ functions }) => functions.offer(double, (value) => value * 2))
  const server = await site({ modules: [asks, offers] })
  await server.close()
  t.strictSame(found, [undefined, 42])
})

t.test('a second function under one key is refused', async (t) => {
  const key = optionalFunction<() => string>('test:name')
  const functions = new FunctionRegistry()
  functions.offer(key, () => 'first')
  t.throws(
    () => functions.offer(key, () => 'second'),
    /the optional function test:name of (the server|mod_b\.c) is already offered by (the server|mod_a\.c)/,
  )
  t.equal(functions.get(key)?.(), 'first')
  const offers = (name: string): AnyModule => moduleOf(name, (host) => host.functions.offer(key, () => name))
  await rejected(
    t,
    [offers('a'), offers('b')],
    /the optional function test:name of (the server|mod_b\.c) is already offered by (the server|mod_a\.c)/,
  )
})

t.test('another version of an optional function is another function', async (t) => {
  const functions = new FunctionRegistry()
  const [first, second] = [undefined, 2].map((version) => optionalFunction<() => string>('test:name', version))
  functions.offer(second, () => 'second')
  t.equal(functions.get(first), undefined)
  functions.offer(first, () => 'first')
  t.equal(functions.get(optionalFunction<() => string>('test:name'))?.(), 'first', 'a key declared again')
  t.equal(functions.get(second)?.(), 'second')
  t.equal(functions.get(first)?.(), 'first')
})

t.test('nothing of one generation is known to the next', async (t) => {
  const key = optionalFunction<() => string>('test:once')
  const module = moduleOf('once', ({ functions, providers }) => {
    functions.offer(key, () => 'here')
    providers.authz.add('once', granting)
  })
  for (let generation = 0; generation < 3; generation++) {
    const server = await site({ modules: [module] })
    t.equal(server.configuration.offered(key)?.(), 'here')
    await server.close()
  }
})

interface Mark {
  readonly from: string
}

t.test('without a merge function the nearer section replaces the outer one', async (t) => {
  const marks: string[] = []
  const module = defineModule<Mark & { value?: string }>({
    name: 'mark_module',
    source: 'mod_mark.c',
    perDirectory: { create: (section) => ({ from: section.kind }) },
    directives: {
      Mark: directive.take1({
        scope: 'directory',
        context: ['server', 'virtualhost', 'directory'],
        set: (config, value) => {
          config.value = value
        },
      }),
      MarkNothing: directive.noArgs({ scope: 'directory', context: ['directory'], set: () => undefined }),
    },
    register({ hooks, configOf }) {
      hooks.fixupHeaders.add((request) => {
        const { from, value } = configOf(request)
        marks.push(`${from} ${value ?? 'unset'}`)
      })
    },
  })
  const config =
    'Mark outer\n<Location /a>\nMark inner\n</Location>\n<Location /b>\nMarkNothing\n</Location>\n<Location /c>\nOptions None\n</Location>'
  const server = await site({ modules: [openModule, module], config })
  t.teardown(() => server.close())
  for (const target of ['/', '/a', '/b', '/c']) await server.inject(target)
  t.strictSame(marks, ['server outer', 'Location inner', 'Location unset', 'server outer'])
})

t.test('merging never changes what it merges', async (t) => {
  const config =
    'Word server\n<Location /a>\nWord a\n</Location>\n<Location /a/b>\nWord b\n</Location>\n<If "%{QUERY_STRING} == \'x\'">\nWord x\n</If>'
  const server = await site({ modules: [wordsModule], config })
  t.teardown(() => server.close())
  const expected = [
    ['/', 'server'],
    ['/a', 'server a'],
    ['/a/b', 'server a b'],
    ['/a/b?x', 'server a b x'],
    ['/?x', 'server x'],
  ]
  for (let round = 0; round < 3; round++) {
    for (const [target, words] of expected) t.equal((await server.inject(target)).header('X-Words'), words, `${target} ${round}`)
  }
})

t.test("a virtual host without directives of a module shares the main server's configuration of it", async (t) => {
  const merged: string[] = []
  const module = defineModule<undefined, { values: readonly string[] }>({
    name: 'per_server_module',
    source: 'mod_per_server.c',
    perServer: {
      create: () => ({ values: [] }),
      merge: (base, over) => {
        merged.push(over.values.join())
        return { values: [...base.values, ...over.values] }
      },
    },
    directives: {
      Value: directive.take1({
        scope: 'server',
        context: ['server', 'virtualhost'],
        set: (config, value) => {
          config.values = [...config.values, value]
        },
      }),
    },
    register({ hooks, serverConfigOf }) {
      hooks.checkConfig.add(({ servers }) => {
        const [main, shares, own] = servers.map((server) => serverConfigOf(server))
        t.equal(shares, main)
        t.strictSame(own.values, ['main', 'own'])
      })
    },
  })
  const host = (name: string, line = ''): string => `<VirtualHost *>\nServerName ${name}\n${line}\n</VirtualHost>`
  const server = await site({ modules: [module], config: ['Value main', host('shares'), host('own', 'Value own')].join('\n') })
  await server.close()
  t.strictSame(merged, ['own'])
})

t.test('the main server, and sections with directives of a module, are listed in file order with their places', async (t) => {
  const places: string[] = []
  const module = defineModule<{ n?: string }>({
    name: 'placed_module',
    source: 'mod_placed.c',
    perDirectory: { create: () => ({}) },
    directives: {
      Placed: directive.take1({
        scope: 'directory',
        context: ['server', 'virtualhost', 'directory'],
        set: (config, n) => {
          config.n = n
        },
      }),
    },
    register({ hooks, placedConfigs }) {
      hooks.checkConfig.add(() => {
        for (const { config, section } of placedConfigs()) {
          places.push(`${config.n} ${section.kind} ${section.argument} ${section.line} ${section.parent?.kind ?? '-'}`)
        }
      })
    },
  })
  const config = [
    'Placed 0',
    '<Location /l>',
    'Placed 1',
    '</Location>',
    '<Directory /d>',
    '<Files f>',
    'Placed 2',
    '</Files>',
    '</Directory>',
    '<Location /without>',
    '</Location>',
    '<VirtualHost *>',
    'ServerName x',
    'Placed v',
    '<Location /v>',
    'Placed 3',
    '</Location>',
    '</VirtualHost>',
  ].join('\n')
  const server = await site({ modules: [module], config })
  await server.close()
  t.strictSame(places, [
    '0 server  0 -',
    '1 Location /l 4 server',
    '2 Files f 8 Directory',
    'v VirtualHost * 14 server',
    '3 Location /v 17 VirtualHost',
  ])
})

t.test('a container of a module does not escape its checks outside of sections', async (t) => {
  const gauge = defineModule<{ unit?: string }>({
    name: 'gauge_module',
    source: 'mod_gauge.c',
    perDirectory: { create: () => ({}) },
    directives: {
      GaugeUnit: directive.take1({
        scope: 'directory',
        context: ['server', 'virtualhost', 'directory'],
        set: (config, unit) => {
          config.unit = unit
        },
      }),
    },
    register({ hooks, placedConfigs }) {
      hooks.checkConfig.add(() => {
        const wrong = placedConfigs().find(({ config: { unit } }) => unit !== undefined && unit !== 'litre')
        return wrong === undefined
          ? undefined
          : { message: `no unit ${wrong.config.unit}`, place: { ...wrong.section, name: 'GaugeUnit' } }
      })
    },
  })
  for (const config of ['GaugeUnit nosuch', '<VirtualHost *>\nServerName x\nGaugeUnit nosuch\n</VirtualHost>'])
    await rejected(t, [gauge], /./, config)
})

t.test('rows that the types of the API do not allow are refused when the module is loaded', async (t) => {
  const refused: readonly (readonly [Readonly<Record<string, object>>, RegExp])[] = [
    [
      { Note: { kind: 'definition', scope: 'server' } },
      /odd_module declares 'Note' as definition: the key of a container is '<Note'/,
    ],
    [{ '<Note': { kind: 'raw', scope: 'directory' } }, /declares '<Note' as raw: the key of a line is 'Note'/],
    [{ 'No te': { kind: 'raw', scope: 'directory' } }, /declares a directive 'No te': a name begins with a letter/],
    [{ Note: { kind: 'raw', scope: 'directory', declaredAs: 'n\u001b' } }, /declares a directive 'n\?'/],
  ]
  for (const [rows, message] of refused) {
    const directives = Object.fromEntries(Object.entries(rows).map(([key, row]) => [key, { context: ['server'], ...row }]))
    const odd = Object.assign(
      {},
      moduleOf('odd', () => undefined),
      { directives },
    )
    await rejected(t, [odd], message)
  }
})
