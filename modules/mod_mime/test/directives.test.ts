import { configError, observedModule, servedRequest } from '@gatewright/testing'
import t from 'tap'
import type { MimeConfig } from '../src/config.ts'
import mime from '../src/index.ts'

t.test('the directive table has the contexts of each directive', async (t) => {
  const anywhere = 'server virtualhost directory htaccess'
  const table = Object.entries(mime.directives ?? {}).map(([name, { kind, scope, context, override }]) => [
    name,
    kind,
    scope,
    context.join(' '),
    override ?? '-',
  ])
  const add = (name: string): string[] => [name, 'iterate2', 'directory', anywhere, 'FileInfo']
  const remove = (name: string): string[] => [name, 'iterate', 'directory', anywhere, 'FileInfo']
  t.same(table, [
    ['TypesConfig', 'take1', 'server', 'server virtualhost', '-'],
    ...['AddType', 'AddEncoding', 'AddLanguage', 'AddCharset', 'AddHandler', 'AddInputFilter', 'AddOutputFilter'].map(add),
    ...[
      'RemoveType',
      'RemoveEncoding',
      'RemoveLanguage',
      'RemoveCharset',
      'RemoveHandler',
      'RemoveInputFilter',
      'RemoveOutputFilter',
    ].map(remove),
    ['DefaultLanguage', 'take1', 'directory', anywhere, 'FileInfo'],
    ['ModMimeUsePathInfo', 'flag', 'directory', 'directory', '-'],
    ['MultiviewsMatch', 'iterate', 'directory', anywhere, 'FileInfo'],
  ])
})

const FILES = { 'conf/mime.types': '', 'docs/f': 'x' }

/** The configuration that applies to a file. */
async function configured(config: string): Promise<MimeConfig> {
  const observed = observedModule(mime)
  const request = await servedRequest('/f', { modules: [observed.module], config, files: FILES })
  return observed.host.configOf(request)
}

const HANDLERS = 'Handlers is incompatible with Any and NegotiatedOnly'
const FILTERS = 'Filters is incompatible with Any and NegotiatedOnly'
const ANY = 'Any is incompatible with NegotiatedOnly, Filters and Handlers'
const NEGOTIATED = 'NegotiatedOnly is incompatible with Any, Filters and Handlers'

const MULTIVIEWS: readonly (readonly [words: string, choice: string | undefined, error: string | undefined])[] = [
  ['Any', 'any', undefined],
  ['NegotiatedOnly', 'negotiated-only', undefined],
  ['Handlers', 'handlers', undefined],
  ['Handlers Filters', 'filters-and-handlers', undefined],
  ['filters HANDLERS', 'filters-and-handlers', undefined],
  ['Handlers Handlers', 'handlers', undefined],
  ['Any Handlers', undefined, HANDLERS],
  ['NegotiatedOnly Filters', undefined, FILTERS],
  ['NegotiatedOnly Any', undefined, ANY],
  ['Any NegotiatedOnly', undefined, NEGOTIATED],
  ['Filters NegotiatedOnly', undefined, NEGOTIATED],
  ['x', undefined, "Unrecognized option 'x'"],
]

for (const [words, choice, error] of MULTIVIEWS) {
  t.test(`MultiviewsMatch ${words} is ${error === undefined ? `stored as ${choice}` : 'rejected'}`, async (t) => {
    const config = `<Directory />\nMultiviewsMatch ${words}\n</Directory>`
    if (error !== undefined) t.equal(await configError({ modules: [mime], config, files: FILES }), error)
    else t.equal((await configured(config)).multiviewsMatch, choice)
  })
}

t.test('filters are stored by extension', async (t) => {
  const lines = ['AddOutputFilter INCLUDES;X .shtml', 'AddInputFilter y .in', 'RemoveOutputFilter .off']
  const config = await configured(['<Directory />', ...lines, '</Directory>'].join('\n'))
  t.match(config.extensions.get('shtml'), { outputFilters: 'includes;x' })
  t.match(config.extensions.get('in'), { inputFilters: 'y' })
  t.equal(config.extensions.get('off')?.outputFilters, undefined)
})
