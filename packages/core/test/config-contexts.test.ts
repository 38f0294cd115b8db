import { type AnyModule, type Context, defineModule, directive, isCommandError, type Override } from '@gatewright/api'
import { site } from '@gatewright/testing'
import t from 'tap'
import { openModule } from './support/modules.ts'
import { complaints, refusal } from './support/refusal.ts'

const row = (context: readonly Context[], override?: Override) =>
  directive.take1({ scope: 'directory', context, override, set: () => undefined })

/** One directive for each combination of httpd's context bits. */
const places: AnyModule = defineModule<object>({
  name: 'places_module',
  source: 'mod_places.c',
  perDirectory: { create: () => ({}) },
  directives: {
    OrLimit: row(['directory', 'htaccess'], 'Limit'),
    OrAuthConfig: row(['directory', 'htaccess'], 'AuthConfig'),
    AccessConf: row(['directory']),
    OrOptions: row(['server', 'virtualhost', 'directory', 'htaccess'], 'Options'),
    OrFileInfo: row(['server', 'virtualhost', 'directory', 'htaccess'], 'FileInfo'),
    OrIndexes: row(['server', 'virtualhost', 'directory', 'htaccess'], 'Indexes'),
    OrAll: row(['server', 'virtualhost', 'directory', 'htaccess'], 'All'),
    RsrcConf: row(['server', 'virtualhost']),
    Both: row(['server', 'virtualhost', 'directory']),
    Nowhere: row([]),
    MainOnly: row(['server']),
  },
})
const modules = [openModule, places]

/** The context of a line, and its name in the rejection. */
const PLACES: Readonly<Record<string, { readonly wrap: (line: string) => string; readonly parent: string | null }>> = {
  server: { wrap: (line) => line, parent: null },
  VirtualHost: { wrap: (line) => `<VirtualHost *>\nServerName x\n${line}\n</VirtualHost>`, parent: 'VirtualHost' },
  Directory: { wrap: (line) => `<Directory />\n${line}\n</Directory>`, parent: 'Directory' },
  DirectoryMatch: { wrap: (line) => `<DirectoryMatch />\n${line}\n</DirectoryMatch>`, parent: 'DirectoryMatch' },
  Location: { wrap: (line) => `<Location />\n${line}\n</Location>`, parent: 'Location' },
  Files: { wrap: (line) => `<Files x>\n${line}\n</Files>`, parent: 'Files' },
  If: { wrap: (line) => `<If true>\n${line}\n</If>`, parent: 'If' },
  'VirtualHost Location': {
    wrap: (line) => `<VirtualHost *>\nServerName x\n<Location />\n${line}\n</Location>\n</VirtualHost>`,
    parent: 'Location',
  },
}
const SERVERS = ['server', 'VirtualHost']
const SECTIONS = Object.keys(PLACES).filter((place) => !SERVERS.includes(place))

/** The contexts in which each directive is accepted: module-api 4.3. */
const ACCEPTED: Readonly<Record<string, readonly string[]>> = {
  OrLimit: SECTIONS,
  OrAuthConfig: SECTIONS,
  AccessConf: SECTIONS,
  OrOptions: [...SERVERS, ...SECTIONS],
  OrFileInfo: [...SERVERS, ...SECTIONS],
  OrIndexes: [...SERVERS, ...SECTIONS],
  OrAll: [...SERVERS, ...SECTIONS],
  RsrcConf: SERVERS,
  Both: [...SERVERS, ...SECTIONS],
  Nowhere: [],
}

for (const [name, accepted] of Object.entries(ACCEPTED)) {
  t.test(`${name} is accepted in ${accepted.length === 0 ? 'no place' : accepted.join(', ')} and nowhere else`, async (t) => {
    for (const [place, { wrap, parent }] of Object.entries(PLACES)) {
      const config = wrap(`${name} x`)
      if (accepted.includes(place)) t.strictSame(await complaints(config, { modules }), [], place)
      else {
        const where = parent === null ? 'here' : `in <${parent}> context`
        t.match(await refusal(config, { modules }), { phase: 'walk', message: `${name} not allowed ${where}` }, place)
      }
    }
  })
}

t.test('a directive of the server alone is refused in a virtual host by its own words', async (t) => {
  t.strictSame(await complaints('MainOnly x', { modules }), [])
  const { message } = await refusal('<VirtualHost *>\nMainOnly x\n</VirtualHost>', { modules })
  t.equal(message, 'MainOnly cannot occur within <VirtualHost> section')
})

t.test('an overlay of AuthConfig accepts directives of that class, and those for sections only', async (t) => {
  const overlays = defineModule({
    name: 'overlays_module',
    source: 'mod_overlays.c',
    directives: {
      '<Overlay': directive.section({
        scope: 'server',
        context: ['server'],
        set: (_server: undefined, _text, command) => {
          const overlay = command.walkOverlay(['AuthConfig'])
          return isCommandError(overlay) ? overlay : undefined
        },
      }),
    },
  })
  for (const name of Object.keys(ACCEPTED)) {
    const config = `<Overlay>\n${name} x\n</Overlay>`
    const options = { modules: [...modules, overlays] }
    if (['OrAuthConfig', 'AccessConf', 'OrAll', 'Both'].includes(name)) t.strictSame(await complaints(config, options), [], name)
    else t.equal((await refusal(config, options)).message, `${name} not allowed in <Overlay> context`, name)
  }
})

t.test('directives that act while reading are taken at any place, and act on the whole server', async (t) => {
  const server = await site({
    modules,
    files: { 'inner/f': '' },
    config: `<VirtualHost *>
      ServerName x
      Define IN_HOST yes
      <Location />
      ServerRoot @ROOT@/inner
      </Location>
      </VirtualHost>
      <Directory />
      Define IN_SECTION f
      </Directory>
      <IfFile \${IN_SECTION}>
      <IfDefine IN_HOST>
      ServerAdmin reached
      </IfDefine>
      </IfFile>`,
  })
  t.teardown(() => server.close())
  const { configuration } = server
  t.equal(configuration.serverRoot, `${server.serverRoot}/inner`)
  t.equal(configuration.main.serverAdmin, 'reached')
})

/** The directives allowed in an .htaccess file, by the class that AllowOverride grants. */
const GRANTED: readonly (readonly [string, readonly string[]])[] = [
  ['Limit', ['OrLimit', 'OrAll']],
  ['AuthConfig', ['OrAuthConfig', 'OrAll']],
  ['Options', ['OrOptions', 'OrAll']],
  ['FileInfo', ['OrFileInfo', 'OrAll']],
  ['Indexes', ['OrIndexes', 'OrAll']],
  ['All', ['OrLimit', 'OrAuthConfig', 'OrOptions', 'OrFileInfo', 'OrIndexes', 'OrAll']],
  ['Limit Indexes', ['OrLimit', 'OrIndexes', 'OrAll']],
]

for (const [grant, allowed] of GRANTED) {
  t.test(`AllowOverride ${grant} admits ${allowed.join(', ')} in .htaccess`, async (t) => {
    const names = Object.keys(ACCEPTED)
    const files = Object.fromEntries(
      names.flatMap((name) => [
        [`docs/${name}/.htaccess`, `${name} x`],
        [`docs/${name}/f`, ''],
      ]),
    )
    const config = `<Directory @ROOT@/docs>\nAllowOverride ${grant}\n</Directory>`
    const server = await site({ modules, files, config })
    t.teardown(() => server.close())
    for (const name of names) {
      t.equal((await server.inject(`/${name}/f`)).status, allowed.includes(name) ? 200 : 500, name)
    }
    const refused = names.filter((name) => !allowed.includes(name))
    const lines = server.errors()
    t.match(
      lines.filter((line) => line.includes('[core:alert]')),
      refused.map((name) => new RegExp(`\\[core:alert\\] .*/docs/${name}/\\.htaccess: ${name} not allowed here$`)),
    )
    t.match(
      lines.filter((line) => !line.includes('[core:alert]')),
      refused.map((name) => new RegExp(`\\[core:warn\\] .*/docs/${name}/\\.htaccess:1: ${name} not allowed here`)),
    )
  })
}

t.test('AllowOverrideList admits single directives, whatever their class', async (t) => {
  const server = await site({
    modules,
    files: {
      'docs/a/.htaccess': 'OrLimit x\nAccessConf x',
      'docs/a/f': '',
      'docs/b/.htaccess': 'OrIndexes x',
      'docs/b/f': '',
    },
    config: '<Directory @ROOT@/docs>\nAllowOverride None\nAllowOverrideList orlimit AccessConf\n</Directory>',
  })
  t.teardown(() => server.close())
  t.equal((await server.inject('/a/f')).status, 200)
  t.equal((await server.inject('/b/f')).status, 500)
})

const WHERE_SECTION = [
  'Directory',
  'DirectoryMatch',
  'Location',
  'LocationMatch',
  'VirtualHost',
  'Files',
  'FilesMatch',
  'If',
  'Limit',
  'LimitExcept',
]
const OPENING: Readonly<Record<string, string>> = {
  If: 'If true',
  VirtualHost: 'VirtualHost *',
  Limit: 'Limit GET',
  LimitExcept: 'LimitExcept GET',
}
const opening = (name: string): string => OPENING[name] ?? `${name} /x`
const family = (name: string): string => name.replace(/Match$|Except$/, '')

/** Permitted nesting of sections: core 2.2. Limit in Limit narrows. */
const NESTING: Readonly<Record<string, readonly string[]>> = {
  server: ['Directory', 'Location', 'VirtualHost', 'Files', 'If'],
  VirtualHost: ['Directory', 'Location', 'Files', 'If'],
  Directory: ['Files', 'If', 'Limit'],
  DirectoryMatch: ['Files', 'If', 'Limit'],
  Location: ['If', 'Limit'],
  LocationMatch: ['If', 'Limit'],
  Files: ['Files', 'If', 'Limit'],
  FilesMatch: ['Files', 'If', 'Limit'],
  If: ['Files', 'If', 'Limit'],
}

for (const [outer, inner] of Object.entries(NESTING)) {
  t.test(
    `${outer === 'server' ? 'at server level' : `inside <${outer}>`} stand ${inner.join(', ')} and no other sections`,
    async (t) => {
      for (const name of WHERE_SECTION) {
        const section = `<${opening(name)}>\n</${name}>`
        const config = outer === 'server' ? section : `<${opening(outer)}>\nServerAdmin x\n${section}\n</${outer}>`
        // A line that is only valid in a virtual host would be rejected elsewhere.
        const text = outer === 'VirtualHost' ? config : config.replace('ServerAdmin x\n', '')
        if (inner.includes(family(name)))
          t.strictSame(
            (await complaints(text)).filter((line) => !line.includes('AH00549')),
            [],
            name,
          )
        else t.equal((await refusal(text)).message, nestingMessage(outer, name), name)
      }
    },
  )
}

/** httpd's message for a section in the wrong context. */
function nestingMessage(outer: string, inner: string): string {
  if (outer === 'server') return `<${inner} not allowed here`
  if (outer === 'VirtualHost' && inner === 'VirtualHost') return '<VirtualHost> cannot occur within <VirtualHost> section'
  if (family(inner) === 'Files') return `<${inner}> cannot occur within <${outer}> section`
  return `<${inner} not allowed in <${outer}> context`
}

t.test('a Files section is not allowed at any depth of a Location', async (t) => {
  const { line, message } = await refusal('<Location />\n<If true>\n<If true>\n<Files x>\n</Files>\n</If>\n</If>\n</Location>')
  t.equal(message, '<Files> cannot occur within <Location> section')
  t.equal(line, 4)
})

t.test('the only section allowed in a Limit is one that narrows it', async (t) => {
  const inLimit = (line: string): string => `<Directory />\n<Limit GET POST>\n${line}\n</Limit>\n</Directory>`
  for (const name of ['Directory', 'Location', 'VirtualHost']) {
    const { message } = await refusal(inLimit(`<${opening(name)}>\n</${name}>`))
    t.equal(message, `<${name} not allowed in <Limit> context`)
  }
  for (const name of ['Files', 'If']) {
    const { message } = await refusal(inLimit(`<${opening(name)}>\n</${name}>`))
    t.equal(message, `<${name}> cannot occur within <Limit> or <LimitExcept> section`)
  }
  t.strictSame(await complaints(inLimit('<Limit GET>\n</Limit>')), [])
  t.strictSame(await complaints(inLimit('<LimitExcept GET>\n</LimitExcept>')), [])
})

t.test('sections for paths and servers are not allowed in .htaccess files', async (t) => {
  const names = ['Directory', 'DirectoryMatch', 'Location', 'LocationMatch', 'VirtualHost']
  const files = Object.fromEntries(
    [...names, 'Files', 'If', 'Limit'].flatMap((name) => [
      [`docs/${name}/.htaccess`, `<${opening(name)}>\n</${name}>`],
      [`docs/${name}/f`, ''],
    ]),
  )
  const server = await site({ modules, files, config: '<Directory @ROOT@/docs>\nAllowOverride All\n</Directory>' })
  t.teardown(() => server.close())
  for (const name of names) t.equal((await server.inject(`/${name}/f`)).status, 500, name)
  for (const name of ['Files', 'If', 'Limit']) t.equal((await server.inject(`/${name}/f`)).status, 200, name)
  t.match(
    server.errors(),
    names.flatMap((name) => [
      new RegExp(`\\[core:warn\\] .*/\\.htaccess:1: <${name} not allowed here`),
      new RegExp(`\\[core:alert\\] .*/\\.htaccess: <${name} not allowed here$`),
    ]),
  )
})
