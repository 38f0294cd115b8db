import { defineModule } from '@gatewright/api'
import { site } from '@gatewright/testing'
import t from 'tap'
import rewrite from '../../../modules/mod_rewrite/src/index.ts'
import { refusal } from './support/refusal.ts'

const sslLike = defineModule({ name: 'ssl_module', source: 'mod_ssl.c', directives: {}, register: () => undefined })
const TYPES = ['rewrite-map', 'ssl-cache', 'ssl-stapling', 'ssl-stapling-refresh']

/** Lines of Mutex, and the lines of the dump about them, as Apache httpd 2.4.71 prints them. */
const DUMPED: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['', {}],
  ['Mutex file:logs default', { default: 'dir="@ROOT@/logs" mechanism=fcntl ' }],
  ['Mutex sem default', { default: 'dir="@ROOT@/logs/" mechanism=posixsem ' }],
  ['Mutex file:docs default\nMutex sem', { default: 'dir="@ROOT@/docs" mechanism=posixsem ' }],
  ['Mutex fcntl\nMutex sysvsem OmitPid', { default: 'dir="@ROOT@/logs/" mechanism=sysvsem [OmitPid]' }],
  ['Mutex fcntl:docs ssl-cache', { 'ssl-cache': 'dir="@ROOT@/docs" mechanism=fcntl ' }],
  ['Mutex posixsem rewrite-map OMITPID', { 'rewrite-map': 'dir="" mechanism=posixsem [OmitPid]' }],
  [
    'Mutex file ssl-cache\nDefaultRuntimeDir docs',
    {
      default: 'dir="@ROOT@/docs/" mechanism=default ',
      'ssl-cache': 'dir="@ROOT@/docs/" mechanism=fcntl ',
    },
  ],
  [
    'Mutex flock:docs ssl-cache ssl-stapling default',
    {
      default: 'dir="@ROOT@/docs" mechanism=flock ',
      'ssl-cache': 'dir="@ROOT@/docs" mechanism=flock ',
      'ssl-stapling': 'dir="@ROOT@/docs" mechanism=flock ',
    },
  ],
]

for (const [config, changed] of DUMPED) {
  t.test(`the dump of the configuration shows ${JSON.stringify(config)}`, async (t) => {
    const server = await site({ modules: [rewrite, sslLike], config, files: { 'docs/f': '', 'logs/f': '' } })
    t.teardown(() => server.close())
    const expected = [...TYPES, 'default'].map((type) => {
      const shown = changed[type] ?? (type === 'default' ? 'dir="@ROOT@/logs/" mechanism=default ' : 'using_defaults')
      return `Mutex ${type}: ${shown}`
    })
    const lines = server.configuration.mutexLines().map((line) => line.replace(server.serverRoot, '@ROOT@'))
    t.strictSame(lines, expected)
  })
}

t.test('types of modules that are not loaded, and none, are refused', async (t) => {
  t.match(await refusal('Mutex default ssl-cache'), { message: 'Mutex type ssl-cache is not valid' })
  t.match(await refusal('Mutex none'), { message: 'None is not allowed for mutex type default' })
})
