// Random lines about proxies, right and wrong: what `-t` of httpd and of this server say of each.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../build/inputs.cjs'
import { Random } from '../fixtures/random.ts'

const NAMES = [
  ...['authz_core', 'slotmem_shm', 'proxy', 'proxy_http', 'proxy_connect', 'proxy_fcgi', 'proxy_scgi', 'proxy_uwsgi'],
  ...['proxy_ajp', 'proxy_wstunnel', 'proxy_hcheck', 'lbmethod_byrequests', 'lbmethod_bytraffic', 'proxy_balancer'],
]

const URLS = [
  ...[
    'http://127.0.0.1:8000/',
    'http://127.0.0.1:8000',
    'https://127.0.0.1/x',
    'balancer://a',
    'balancer://b/x',
    'ajp://127.0.0.1',
  ],
  ...['fcgi://127.0.0.1:9000/srv', 'scgi://127.0.0.1:1', 'uwsgi://127.0.0.1', 'ws://127.0.0.1/', 'unix:/run/x.sock|http://x/'],
  ...[
    '!',
    'http:/x',
    'http://',
    '/relative',
    'ftp://127.0.0.1/',
    'unknown://127.0.0.1',
    'http://127.0.0.1:x/',
    'http://[::1]:80/',
    'http://[::1',
  ],
  ...[
    'unix:/run/x.sock',
    'unix:|http://x/',
    'http://127.0.0.1:99999/',
    'HTTP://127.0.0.1/',
    'balancer:',
    'http://u:p@127.0.0.1/',
    '',
  ],
]
const PATHS = ['/', '/a', '/a/', 'a', '^/x(.*)$', '/b/$1', '(', '', '!', '/with space']
const PARAMETERS = [
  ...[
    'min',
    'max',
    'smax',
    'acquire',
    'ttl',
    'timeout',
    'connectiontimeout',
    'retry',
    'ping',
    'loadfactor',
    'lbset',
    'iobuffersize',
  ],
  ...[
    'receivebuffersize',
    'responsefieldsize',
    'keepalive',
    'disablereuse',
    'enablereuse',
    'flushpackets',
    'flushwait',
    'route',
    'redirect',
  ],
  ...[
    'status',
    'secret',
    'upgrade',
    'mapping',
    'addressttl',
    'hcmethod',
    'hcinterval',
    'hcpasses',
    'hcfails',
    'hcuri',
    'hcexpr',
    'hctemplate',
  ],
  ...[
    'stickysession',
    'nofailover',
    'maxattempts',
    'lbmethod',
    'scolonpathdelim',
    'failonstatus',
    'failontimeout',
    'nonce',
    'growth',
    'forcerecovery',
  ],
  ...['stickysessionsep', 'unknown', 'KeepAlive', 'MAX'],
]
const VALUES = [
  ...[
    '0',
    '1',
    '5',
    '-1',
    '100',
    '1000',
    '70000',
    '1.5',
    '99999999999',
    'On',
    'Off',
    'on',
    'auto',
    'x',
    '',
    '5ms',
    '5s',
    '5h',
    '5min',
    '5x',
  ],
  ...[
    '+D',
    '-D',
    '+H+R',
    'D',
    '+X',
    'D-S',
    'byrequests',
    'bytraffic',
    'bynothing',
    '503',
    '503,404',
    '99',
    'a|b',
    'a.b',
    '.',
    '..',
  ],
  ...['TCP', 'GET', 'CPING', 'encoded', 'servlet', 'websocket', 'ANY', 'NONE', '"a b"', 'x'.repeat(97), 'x'.repeat(300)],
]
const FLAGS = ['On', 'Off', 'on', 'OFF', 'Yes', '', '1', 'Full', 'Block', 'On 404', 'On 404 x', 'On 700', 'Off 404']

const word = (text) => (text === '' || /[\s]/.test(text) ? `"${text}"` : text)

/** One line, or a section with lines. */
function randomLines(random) {
  const parameter = () => `${random.pick(PARAMETERS)}=${random.pick(VALUES)}`
  const parameters = () =>
    random
      .several(0, 2, () => (random.percent(90) ? parameter() : random.pick(['nocanon', 'interpolate', 'x', '=', 'x='])))
      .join(' ')
  const url = () => word(random.percent(60) ? URLS[random.below(11)] : random.pick(URLS))
  const path = () => word(random.percent(60) ? '/a' : random.pick(PATHS))
  const line = () =>
    random.pick([
      () => `ProxyPass ${path()} ${url()} ${parameters()}`,
      () => `ProxyPass ${path()} ${url()} ${parameters()}`,
      () => `ProxyPassMatch ${path()} ${url()} ${parameters()}`,
      () => `ProxyPass ${url()} ${parameters()}`,
      () => `BalancerMember ${url()} ${parameters()}`,
      () => `BalancerMember ${random.pick(['balancer://a', 'http://x', ''])} ${url()} ${parameters()}`,
      () => `ProxySet ${random.pick(['balancer://a', 'http://127.0.0.1:8000/', '', ''])} ${parameter()} ${parameters()}`,
      () => `ProxyPassReverse ${path()} ${url()} ${random.pick(['', 'interpolate', 'x'])}`,
      () => `ProxyPassReverseCookiePath ${path()} ${path()} ${random.pick(['', 'interpolate', 'x'])}`,
      () => `ProxyRemote ${word(random.pick(['*', 'http', 'http://x/', '', 'x:y']))} ${url()} ${random.pick(['', 'u:p', 'u'])}`,
      () => `ProxyRemoteMatch ${path()} ${url()}`,
      () =>
        `${random.pick(['ProxyVia', 'ProxyRequests', 'ProxyPreserveHost', 'ProxyErrorOverride', 'ProxyStatus', 'ProxyAddHeaders', 'ProxyBadHeader', 'BalancerInherit', 'BalancerPersist', 'ProxyPassInherit'])} ${random.pick(FLAGS)}`,
      () =>
        `${random.pick(['ProxyTimeout', 'ProxyMaxForwards', 'ProxyIOBufferSize', 'ProxyReceiveBufferSize', 'BalancerGrowth', 'ProxyHCTPsize'])} ${word(random.pick(VALUES))}`,
      () =>
        `${random.pick(['ProxyDomain', 'ProxySourceAddress', 'NoProxy', 'ProxyBlock', 'AllowCONNECT', 'ProxyFCGIBackendType', 'ProxySCGISendfile', 'ProxySCGIInternalRedirect'])} ${word(random.pick([...VALUES, '.x.test', '10.0.0.0/8', '10.0.0.0/99', '443 8000-9000', '9000-8000']))}`,
      () => `ProxyHCTemplate t ${parameters()}`,
    ])()
  const lines = random.several(1, 2, line)
  return random.pick([
    () => lines,
    () => lines,
    () => [`<Proxy ${word(random.pick(['balancer://a', 'balancer://a/', '*', 'http://x/*', '']))}>`, ...lines, '</Proxy>'],
    () => [`<Proxy "balancer://a" ${parameters()}>`, ...lines, '</Proxy>'],
    () => ['<Location "/l">', ...lines, '</Location>'],
    () => ['<VirtualHost *>', ...lines, '</VirtualHost>'],
    () => [`<ProxyMatch ${word(random.pick(['^http', '(', '']))}>`, ...lines, '</ProxyMatch>'],
  ])()
}

/** Compares so many sets of lines. @returns how many differ */
export function compareLines(folder, { seed, count }) {
  const random = new Random(seed)
  let differing = 0
  for (let index = 0; index < count; index++) {
    const lines = randomLines(random)
    const [theirs, ours] = [verdict(folder, 'httpd', lines), verdict(folder, 'gatewright', lines)]
    if (theirs === ours) continue
    differing++
    console.log(`seed ${seed}, ${index}:\n${lines.join('\n')}\n  httpd: ${theirs}\n  here:  ${ours}\n`)
  }
  console.log(`${count - differing} passed, ${differing} failed`)
  return differing
}

/** The words of `-t`, without those that mark directives without effect here, from the line about the error. */
function verdict(folder, side, lines) {
  const isHttpd = side === 'httpd'
  const place = join(folder, side)
  mkdirSync(join(place, 'logs'), { recursive: true })
  const [modules, ending] = isHttpd ? ['/usr/lib/apache2/modules', 'so'] : [join(ROOT, 'dist/modules'), 'mjs']
  const names = isHttpd ? ['mpm_event', ...NAMES] : NAMES
  const file = join(folder, `${side}.conf`)
  const common = ['ServerName h', `DefaultRuntimeDir ${place}`, 'Listen 127.0.0.1:1']
  const loads = names.map((name) => `LoadModule ${name}_module ${modules}/mod_${name}.${ending}`)
  writeFileSync(file, [...common, ...loads, ...(isHttpd ? [] : ['# In the place of the MPM.']), ...lines].join('\n'))
  const { stdout, stderr } = spawnSync(isHttpd ? 'apache2' : join(ROOT, 'dist/bin/httpd'), ['-d', place, '-f', file, '-t'], {
    encoding: 'latin1',
  })
  const text = `${stdout}${stderr}`
  const at = text.search(/^AH00526|Syntax OK/m)
  return (at < 0 ? text : text.slice(at)).replaceAll(file, 'FILE').replace(', accepted; ', ', ').trim()
}
