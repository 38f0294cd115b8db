import { type AnyModule, containerKey, DECLINED, defineModule, directive, type Module } from '@gatewright/api'
import { configError, site } from '@gatewright/testing'
import t from 'tap'
import authzCore from '../../../modules/mod_authz_core/src/index.ts'

interface Gauge {
  readonly name: string
  unit: string
}

const gauge = containerKey<Gauge>('gauge:gauge')
const everywhere = ['server', 'virtualhost', 'directory', 'htaccess'] as const

/** `<Gauge NAME>` with `GaugeUnit`, and a second module that also adds to the gauge around its line. */
function gauges(seen: Gauge[]): readonly AnyModule[] {
  const own: Module<object> = defineModule<object>({
    name: 'gauge_module',
    source: 'mod_gauge.c',
    perDirectory: { create: () => ({}) },
    directives: {
      '<Gauge': directive.section({
        scope: 'directory',
        context: everywhere,
        override: 'FileInfo',
        help: 'a gauge',
        set: (_config, text, command) => {
          const parsed = command.sectionArgument(text)
          if ('error' in parsed) return parsed.error
          const made: Gauge = { name: parsed.argument, unit: 'none' }
          const error = command.walkWith(gauge, made)
          if (error === undefined) seen.push(made)
          return error
        },
      }),
      GaugeUnit: directive.take1({
        scope: 'directory',
        context: everywhere,
        override: 'FileInfo',
        help: 'the unit of the gauge around it',
        set: (_config, unit, command) => {
          const around = command.handed(gauge)
          if (around === undefined) return 'GaugeUnit is allowed in <Gauge> only'
          around.unit = unit
          return undefined
        },
      }),
    },
    register: ({ hooks }) => {
      hooks.handler.add(() => DECLINED)
    },
  })
  const other: Module<object> = defineModule<object>({
    name: 'gauge_more_module',
    source: 'mod_gauge_more.c',
    perDirectory: { create: () => ({}) },
    directives: {
      GaugeScale: directive.take1({
        scope: 'directory',
        context: everywhere,
        override: 'FileInfo',
        help: 'multiplies the unit of the gauge around it',
        set: (_config, scale, command) => {
          const around = command.handed(containerKey<Gauge>('gauge:gauge'))
          if (around !== undefined) around.unit += ` x ${scale}`
          return undefined
        },
      }),
    },
  })
  return [authzCore, own, other]
}

t.test('a container hands its object to its directives, also through other sections, and of another module', async (t) => {
  const seen: Gauge[] = []
  const config = `<Gauge outer>
    GaugeUnit m
    <IfModule gauge_module>
      <Gauge inner>
        GaugeUnit s
      </Gauge>
      GaugeScale 1000
    </IfModule>
  </Gauge>
  <Location "/x">
    <Gauge located>
      <Limit GET>
        GaugeUnit kg
      </Limit>
    </Gauge>
  </Location>`
  const server = await site({ modules: gauges(seen), config })
  t.teardown(() => server.close())
  t.strictSame(seen, [
    { name: 'inner', unit: 's' },
    { name: 'outer', unit: 'm x 1000' },
    { name: 'located', unit: 'kg' },
  ])
})

t.test('outside of the container, and after it, nothing is handed over; a mistake inside is one of the container', async (t) => {
  const modules = gauges([])
  t.equal(await configError({ modules, config: 'GaugeUnit m' }), 'GaugeUnit is allowed in <Gauge> only')
  t.equal(await configError({ modules, config: '<Gauge a>\n</Gauge>\nGaugeUnit m' }), 'GaugeUnit is allowed in <Gauge> only')
  t.match(await configError({ modules, config: '<Gauge a>\nNosuch m\n</Gauge>' }), /Invalid command 'Nosuch'/)
})

t.test('a container in a .htaccess file hands its object over as well', async (t) => {
  const seen: Gauge[] = []
  const config = '<Directory "@ROOT@">\nAllowOverride All\nRequire all granted\n</Directory>'
  const files = { 'docs/.htaccess': '<Gauge file>\nGaugeUnit K\n</Gauge>\n', 'docs/x.txt': 'x' }
  const server = await site({ modules: gauges(seen), config, files })
  t.teardown(() => server.close())
  t.equal((await server.inject('/x.txt')).status, 200)
  t.strictSame(seen, [{ name: 'file', unit: 'K' }])
})
