import { createServer, site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../../modules/mod_authz_core/src/index.ts'
import { type BoundConfiguration, createRuntime } from '../src/index.ts'

const CONFIG = `ServerName main.example
<VirtualHost *:8080>
ServerName other.example
ServerAlias alias.example
</VirtualHost>
<Directory "@ROOT@/docs">
AllowOverride All
Options None
</Directory>
<Location "/private">
Options None
</Location>
<IfModule mod_missing.c>
ServerAdmin nobody@example
</IfModule>
`

t.test('a bound configuration shows servers, sections, modules, files and what was skipped', async (t) => {
  const server = await site({ config: CONFIG })
  t.teardown(() => server.close())
  const { configuration } = server
  t.same(
    configuration.servers.map(({ serverName, isVirtual }) => [serverName, isVirtual]),
    [
      ['main.example', false],
      ['other.example', true],
    ],
  )
  t.same(configuration.virtualHosts[0]?.core.serverAliases, ['alias.example'])
  t.ok(configuration.sections.some(({ kind, match }) => kind === 'Location' && match?.path === '/private'))
  t.equal(configuration.modules[0]?.source, 'core.c')
  t.equal(configuration.module('core.c'), configuration.modules[0])
  t.equal(configuration.module('mod_missing.c'), undefined)
  t.same(
    configuration.modulesOf('DOCUMENTROOT').map(({ shortName }) => shortName),
    ['core'],
  )
  t.same(configuration.modulesOf('NoSuchDirective'), [])
  t.equal(configuration.includes[0]?.path, configuration.configFile)
  t.match(configuration.skippedBodies, [{ title: '<IfModule mod_missing.c>' }])
  t.match(configuration.textOf(configuration.configFile), /^ServerName main\.example$/m)
  t.ok(configuration.servedFolders().includes(`${server.serverRoot}/docs`))
})

t.test('nothing of a bound configuration can be changed', async (t) => {
  const { configuration } = await served(t, CONFIG)
  for (const [name, shown] of Object.entries(configuration))
    if (Array.isArray(shown)) {
      t.ok(Object.isFrozen(shown), `the list ${name}`)
      t.notOk(Reflect.set(shown, shown.length, null), `nothing is added to ${name}`)
    }
  t.notOk(Reflect.set(configuration, 'serverRoot', '/elsewhere'))
  t.notOk(Reflect.set(configuration.plan, 'workers', 99))
  for (const server of configuration.servers) {
    t.notOk(Reflect.set(server, 'file', 'other'), server.serverName)
    t.notOk(Reflect.set(server.core, 'timeout', 1), server.serverName)
    t.throws(() => Array.prototype.push.call(server.addresses, null), TypeError)
  }
  for (const section of configuration.sections) t.notOk(Reflect.set(section, 'match', null), section.title)
})

t.test('serving changes nothing of it, not even a .htaccess file with a directive of no effect', async (t) => {
  const files = { 'docs/f': 'content', 'docs/.htaccess': '<IfModule mod_missing.c>\n</IfModule>\nEnableSendfile Off\n' }
  const server = await site({ modules: [authzCore], config: CONFIG, files })
  t.teardown(() => server.close())
  const before = described(server.configuration)
  t.notOk(server.configuration.withoutEffect.has('EnableSendfile'))
  t.equal((await server.inject('/f')).status, 200)
  t.equal((await server.inject('/private')).status, 404)
  t.same(described(server.configuration), before)
})

t.test('a configuration has one runtime, and only what was loaded here has any', async (t) => {
  const { configuration } = await served(t, CONFIG)
  t.throws(() => createRuntime(configuration), { message: 'the configuration has a runtime already' })
  t.throws(() => createRuntime({ ...configuration }), { message: 'not a configuration that this server has loaded' })
})

async function served(t: Test, config: string): ReturnType<typeof createServer> {
  const server = await createServer({ config: config.replaceAll('@ROOT@', '/srv') })
  t.teardown(() => server.close())
  return server
}

function described({ servers, sections, skippedBodies, withoutEffect, includes, plan, defines }: BoundConfiguration): unknown {
  return {
    servers: servers.map(({ serverName, core }) => ({ serverName, core: { ...core } })),
    sections: sections.map(({ title, file, line }) => ({ title, file, line })),
    skippedBodies,
    withoutEffect: [...withoutEffect],
    includes,
    plan,
    defines: [...defines],
  }
}
