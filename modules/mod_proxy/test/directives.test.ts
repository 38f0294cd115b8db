import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { configErrorAt, site } from '@gatewright/testing'
import t from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import proxy from '../src/index.ts'

const modules = [authzCore, proxy]
const at = (config: string) => configErrorAt({ modules, config })

t.test('wrong parameters of workers are reported with line and reason', async (t) => {
  t.equal(await at('ProxyPass /a http://127.0.0.1/ retry=-1'), '1: ProxyPass Retry must be a positive value')
  t.equal(await at('\nProxyPass /a http://127.0.0.1/ odd=1'), '2: ProxyPass unknown Worker parameter')
  t.equal(await at('ProxyPass /a /b'), '1: ProxyPass URL must be absolute!: /b')
  t.equal(
    await at('<Location /l>\nProxyPass /a http://127.0.0.1/\n</Location>'),
    '2: ProxyPass|ProxyPassMatch can not have a path when defined in a location.',
  )
  t.equal(
    await at('<Directory />\nProxyPass /a http://127.0.0.1/\n</Directory>'),
    '2: ProxyPass cannot occur within <Directory> section',
  )
})

t.test('lines about balancers and other proxies are refused with the words of httpd', async (t) => {
  const rows: readonly (readonly [line: string, problem: string])[] = [
    ['BalancerMember http://127.0.0.1/ x=', 'BalancerMember must define remote proxy server'],
    ['BalancerMember x=', 'BalancerMember must define balancer name when outside <Proxy > section'],
    ['BalancerMember a http://127.0.0.1/', 'BalancerMember Bad syntax for a balancer name (a)'],
    ['ProxyPass /a balancer:', 'ProxyPass Bad syntax for a balancer name (balancer:)'],
    ['ProxySet a="b c"', `ProxySet can not find 'a="b' Worker.`],
    ['ProxyPassReverse /a interpolate', 'ProxyPassReverse needs a path when not defined in a location'],
    ['ProxyRemoteMatch ( x', 'ProxyRemoteMatch: Bad syntax for a remote proxy server'],
    ['ProxyRemote * http://u:p@127.0.0.1/', 'ProxyRemote: Bad syntax for a remote proxy server (bad port number)'],
    ['ProxyPass /a http://127.0.0.1/ ping=', 'ProxyPass Ping/Pong timeout must be at least one millisecond'],
    [
      'ProxyPass /a http://127.0.0.1/ addressttl=5ms',
      'ProxyPass AddressTTL must be -1 or a number of seconds not exceeding (2147483647)',
    ],
  ]
  for (const [line, problem] of rows) t.equal(await at(line), `1: ${problem}`, line)
  const section = (name: string, line: string): Promise<string | undefined> => at(`<${name}>\n${line}\n</${name.split(' ')[0]}>`)
  t.equal(
    await section('Proxy "balancer://a"', 'BalancerMember http://x http://y x'),
    '2: BalancerMember can not have a balancer name when defined in a location',
  )
  t.equal(
    await section('Location "/l"', 'ProxySet http://127.0.0.1:8000/ min=1'),
    "2: ProxySet can not find 'http://127.0.0.1:8000/' Worker.",
  )
  t.equal(
    await section('Location "/l"', 'ProxyPassReverse /a http://127.0.0.1/'),
    '2: ProxyPassReverse can not have a path when defined in a location',
  )
})

t.test('ProxySet needs a worker that exists', async (t) => {
  t.equal(await at('ProxySet http://127.0.0.1/ retry=1'), "1: ProxySet can not find 'http://127.0.0.1/' Worker.")
  const server = await site({ modules, config: 'ProxyPass / http://127.0.0.1/\nProxySet http://127.0.0.1/ retry=1' })
  t.teardown(() => server.close())
  t.match(await server.inject('/'), { status: 500 }, 'no module serves the scheme')
  t.ok(server.errors().some((line) => line.includes("AH01144: No protocol handler was valid for the URL / (scheme 'http')")))
})

const HTTPD = '/usr/sbin/apache2'
const MODULE = '/usr/lib/apache2/modules/mod_proxy.so'

t.test('the manual page has every directive of httpd', { skip: !existsSync(HTTPD) || !existsSync(MODULE) }, (t) => {
  const root = t.testdir({
    'httpd.conf':
      `ServerName a\nErrorLog /dev/null\nLoadModule mpm_event_module /usr/lib/apache2/modules/mod_mpm_event.so\n` +
      `LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so\nLoadModule proxy_module ${MODULE}\n`,
  })
  const listed = execFileSync(HTTPD, ['-d', root, '-f', `${root}/httpd.conf`, '-L'], { encoding: 'utf8' })
  const names = [...listed.matchAll(/^(<?\w+) \(mod_proxy\.c\)$/gm)].map(([, name]) => name)
  t.ok(names.length > 30, 'httpd lists its directives')
  const page = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  for (const name of names) {
    t.ok(proxy.directives?.[name] !== undefined, `${name} is known`)
    t.ok(page.includes(name.startsWith('<') ? `\`${name}>\`` : `\`${name}\``), `${name} is in the manual page`)
  }
  t.end()
})

t.test('of a parameter that a line repeats, the last value counts', async (t) => {
  t.equal(await at('ProxyPass /a http://127.0.0.1/ retry=-1 RETRY=1'), undefined)
  t.equal(await at('BalancerMember balancer://a http://127.0.0.1/ lbset=x1 lbset=1'), undefined)
  t.equal(await at('ProxyPass /a http://127.0.0.1/ retry=1 retry=-1'), '1: ProxyPass Retry must be a positive value')
  t.match(await at('<Proxy "http://127.0.0.1/" retry=-1 retry=1>\n</Proxy>'), /Retry must be a positive value/)
})
