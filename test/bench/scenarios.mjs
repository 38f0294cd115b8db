// The scenarios. A scenario defines the client's requests (`ask`), the required answers (`visits`), and the
// configuration of each server: lines for httpd's <Directory> of the site and for nginx's location; `nginx`
// is absent if nginx does not support it.

import { contents } from './contents.mjs'
import { FASTCGI_PARAMETERS } from './fastcgi-parameters.mjs'
import { logins } from './logins.mjs'
import { ADMITTED, inLines, networks, REFUSED } from './networks.mjs'
import { AUTHORIZATION, PASSWORD_HASHES } from './password-hashes.mjs'

const SMALL = { path: '/small.html', headers: {}, status: 200, length: 1024 }
/** A client outside the admitted network is denied, which shows that the measured rules are effective. */
const STRANGER = { ...SMALL, from: '127.0.0.2', status: 403, length: undefined }
const GATE = {
  httpd: { directory: [`Require ip ${ADMITTED}`] },
  nginx: { location: [`allow ${ADMITTED};`, 'deny all;'] },
  caddy: { site: [...refusedByCaddy(ADMITTED), 'file_server'] },
  lighttpd: { lines: refusedByLighttpd(ADMITTED) },
}
const HELLO = 'hello, world'
const DEEP = '/1/2/3/4/5/6'

/** How nginx talks to a backend on port @BACKEND@: kept connections have to be asked for. */
const KEPT = {
  http: ['upstream back { server 127.0.0.1:@BACKEND@; keepalive 64; }'],
  location: ['proxy_pass http://back;', 'proxy_http_version 1.1;', 'proxy_set_header Connection "";'],
}
const ONCE = { location: ['proxy_pass http://127.0.0.1:@BACKEND@;'] }

const DENIED = {
  title: 'denied by Require ip: 403 and a line in the error log',
  ask: { ...STRANGER, from: undefined },
  httpd: { directory: ['Require ip 192.0.2.0/24'] },
  nginx: { location: ['allow 192.0.2.0/24;', 'deny all;'] },
  caddy: { site: refusedByCaddy('192.0.2.0/24') },
  lighttpd: { lines: refusedByLighttpd('192.0.2.0/24') },
  visits: [],
}

const TLS = { tls: { key: 'ecdsa', resumes: true } }

/** For scenarios whose rules these servers do not have. */
const NO_EQUIVALENT = { caddy: undefined, lighttpd: undefined }

const sized = (path, length) => ({ ...SMALL, path, length })
const gated = (scenario) => ({ ...GATE, visits: [STRANGER], ...scenario })

/**
 * `connections` and `seconds` limit the options; `http2`: by HTTP/2, with `streams` at a time on each connection, or with
 * requests for `meanwhile`; `files` are in the site, with `folders` that servers write into, `outside` in conf/; `isBare`: bare Node can answer as well; `isOurs`:
 * httpd cannot.
 */
export const SCENARIOS = [
  gated({ name: 'small', title: '1 KiB, keep-alive, Require ip, access log', ask: SMALL, isBare: true }),
  gated({
    name: 'new-connections',
    title: '1 KiB, a new connection for each request',
    ask: { ...SMALL, headers: { Connection: 'close' } },
    isBare: true,
    // Longer rounds would exhaust the client's ports, which are unavailable for a while after each
    // connection.
    seconds: 2,
  }),
  gated({ name: '64k', title: '64 KiB, keep-alive', ask: sized('/64k.bin', 64 << 10) }),
  gated({ name: '10m', title: '10 MiB, keep-alive', ask: sized('/10m.bin', 10 << 20), connections: 4 }),
  { name: 'denied', ...DENIED, isBare: true },
  decision(),
  gated({
    name: 'order-allow',
    title: 'Order, Deny and Allow of mod_access_compat',
    ask: SMALL,
    ...NO_EQUIVALENT,
    // An inherited `Require all denied` would hold as well.
    httpd: { directory: ['Order deny,allow', 'Deny from all', `Allow from ${ADMITTED}`, 'Require all granted'] },
  }),
  htaccess({ name: 'htaccess-absent', title: 'AllowOverride All, six folders deep, no .htaccess', files: [] }),
  htaccess({
    name: 'htaccess-present',
    title: 'AllowOverride All, six folders deep, .htaccess in each',
    files: [1, 2, 3, 4, 5, 6].map((depth) => ({
      name: `${DEEP.slice(0, 2 * depth)}/.htaccess`,
      content: `AddType text/html .html\nRequire ip ${ADMITTED}\n`,
    })),
  }),
  ...[1_000, 10_000, 100_000].flatMap((count) => [requireIp(count), denyFrom(count)]),
  // The slow hashes are limited by the processor: more connections would only wait longer.
  basic('sha1', '{SHA}', 32),
  basic('apr1', 'apr1, a thousand rounds of MD5', 8),
  // nginx uses the system's crypt(), which may not support it.
  { ...basic('bcrypt', 'bcrypt of cost 5', 4), mayBeUnable: 'nginx' },
  ...logins(),
  ...['ecdsa', 'rsa'].flatMap(secure),
  ...[1, 10, 100].flatMap((streams) => [...multiplexed(streams, true), ...multiplexed(streams, false)]),
  overtaken(true),
  overtaken(false),
  proxied('proxy-small', '1 KiB from a backend, connections kept by nginx as well', 'small.html', 1 << 10, KEPT),
  proxied('proxy-default', '1 KiB from a backend, nginx as it is without settings', 'small.html', 1 << 10, ONCE),
  { ...proxied('proxy-10m', '10 MiB from a backend', '10m.bin', 10 << 20, KEPT), connections: 4 },
  fastcgi(),
  ...contents(),
  {
    name: 'status',
    title: '/server-status, the page for people',
    ask: { path: '/server-status', headers: {}, status: 200, contains: 'Server uptime' },
    httpd: {
      ...GATE.httpd,
      server: ['<Location "/server-status">', 'SetHandler server-status', `Require ip ${ADMITTED}`, '</Location>'],
    },
    visits: [{ ...STRANGER, path: '/server-status' }],
  },
]

/** The endpoint of mod_auth_request refuses what the scenario `denied` refuses: to be compared with it. */
function decision() {
  const headers = { 'X-Original-URL': 'http://localhost/small.html', 'X-Original-Method': 'GET', 'X-Forwarded-For': '127.0.0.1' }
  const ask = { path: '/decide', headers, status: 403 }
  return {
    name: 'decision',
    title: 'a refusal by the endpoint of mod_auth_request, for nginx: 403',
    ask,
    isOurs: true,
    httpd: {
      ...DENIED.httpd,
      modules: ['auth_request'],
      server: [
        ...['<Location "/decide">', 'SetHandler auth-request', 'AuthRequestFields nginx', 'AuthRequestTrust 127.0.0.1'],
        ...['Require all granted', '</Location>'],
      ],
    },
    visits: [{ ...ask, headers: { ...headers, 'X-Forwarded-For': '192.0.2.1' }, status: 200 }],
  }
}

/** The client is in the last network; nginx: geo. */
function requireIp(count) {
  const list = networks(count, ADMITTED)
  return gated({
    name: `require-ip-${count}`,
    title: `${count.toLocaleString('en')} networks in Require ip; nginx: geo`,
    ask: SMALL,
    httpd: { directory: inLines(list).map((line) => `Require ip ${line}`) },
    ...NO_EQUIVALENT,
    nginx: {
      http: ['geo $known {', 'default 0;', ...list.map((network) => `${network} 1;`), '}'],
      location: ['if ($known = 0) { return 403; }'],
    },
    // Measured in the same rounds: the cost of many compared to one.
    baseline: gated({ name: 'require-ip-1', ask: SMALL, ...NO_EQUIVALENT }),
  })
}

/** The client is in none of the networks; nginx compares them one by one, as httpd does. */
function denyFrom(count) {
  const server = (list) => ({
    httpd: {
      directory: [
        'Order allow,deny',
        'Allow from all',
        ...inLines(list).map((line) => `Deny from ${line}`),
        'Require all granted',
      ],
    },
    nginx: { location: [...list.map((network) => `deny ${network};`), 'allow all;'] },
  })
  return gated({
    name: `deny-from-${count}`,
    title: `${count.toLocaleString('en')} networks in Deny from; nginx: deny`,
    ask: SMALL,
    ...NO_EQUIVALENT,
    ...server(networks(count, REFUSED)),
    baseline: gated({ name: 'deny-from-1', ask: SMALL, ...NO_EQUIVALENT, ...server([REFUSED]) }),
  })
}

/** Measured in the same rounds: the same file with AllowOverride None. */
function htaccess(scenario) {
  const path = `${DEEP}/small.html`
  const deep = { ...scenario, ask: { ...SMALL, path }, visits: [{ ...STRANGER, path }] }
  return {
    ...deep,
    httpd: { ...GATE.httpd, override: 'All' },
    baseline: { ...deep, name: 'override-none', httpd: GATE.httpd },
  }
}

/** The first scenarios over TLS 1.3, with a key of a kind. */
function secure(key) {
  const over = (name, title, scenario) =>
    gated({
      name: `tls-${name}-${key}`,
      title: `TLS 1.3, ${key}: ${title}`,
      isBare: true,
      tls: { key, resumes: true },
      ...scenario,
    })
  const closing = { ...SMALL, headers: { Connection: 'close' } }
  return [
    over('small', '1 KiB, keep-alive, Require ip, access log', { ask: SMALL }),
    over('new', '1 KiB, a new connection with a full handshake for each request', {
      ask: closing,
      seconds: 2,
      tls: { key, resumes: false },
    }),
    over('resumed', '1 KiB, a new connection with a resumed session for each request', { ask: closing, seconds: 2 }),
    over('64k', '64 KiB, keep-alive', { ask: sized('/64k.bin', 64 << 10) }),
    over('10m', '10 MiB, keep-alive', { ask: sized('/10m.bin', 10 << 20), connections: 4 }),
  ]
}

/** HTTP/2 with streams at a time on each connection, over TLS or in the clear. */
function multiplexed(streams, isSecure) {
  const prefix = isSecure ? 'h2' : 'h2c'
  const how = `${streams} ${streams === 1 ? 'stream' : 'streams'} ${isSecure ? 'over TLS' : 'in the clear'}`
  const over = (name, title, scenario) => ({
    ...scenario,
    name: `${prefix}-${name}-m${streams}`,
    title: `HTTP/2, ${how}: ${title}`,
    http2: { streams },
    ...(isSecure ? TLS : {}),
  })
  return [
    over('small', '1 KiB, Require ip, access log', gated({ ask: SMALL })),
    over('64k', '64 KiB', gated({ ask: sized('/64k.bin', 64 << 10) })),
    over('10m', '10 MiB', { ...gated({ ask: sized('/10m.bin', 10 << 20) }), connections: streams > 10 ? 1 : 4 }),
    over('denied', DENIED.title, DENIED),
  ]
}

/** The times are those to the first byte of what is small. */
function overtaken(isSecure) {
  const prefix = isSecure ? 'h2' : 'h2c'
  return gated({
    name: `${prefix}-overtaking`,
    title: `HTTP/2 ${isSecure ? 'over TLS' : 'in the clear'}: first byte of 1 KiB while 10 MiB are sent on the same connection`,
    ask: sized('/10m.bin', 10 << 20),
    http2: { meanwhile: SMALL.path },
    connections: 1,
    ...(isSecure ? TLS : {}),
  })
}

/** A file that nginx serves as the backend, on the client's core. */
function proxied(name, title, file, length, upstream) {
  const url = `"/back/" "http://127.0.0.1:@BACKEND@/back/"`
  return gated({
    name,
    title,
    ask: { ...SMALL, path: `/back/${file}`, length },
    visits: [{ ...STRANGER, path: `/back/${file}` }],
    files: [{ name: `back/${file}`, content: 'x'.repeat(length) }],
    backend: 'nginx',
    httpd: {
      ...GATE.httpd,
      modules: ['proxy', 'proxy_http'],
      server: ['<Location "/back/">', `Require ip ${ADMITTED}`, '</Location>', `ProxyPass ${url}`],
    },
    nginx: { ...upstream, location: [...GATE.nginx.location, ...upstream.location] },
    caddy: { site: [...refusedByCaddy(ADMITTED), 'reverse_proxy 127.0.0.1:@BACKEND@'] },
    lighttpd: undefined,
    haproxy: { frontend: [`http-request deny unless { src ${ADMITTED} }`] },
  })
}

function refusedByCaddy(admitted) {
  return [`@refused not remote_ip ${admitted}`, 'respond @refused 403']
}

function refusedByLighttpd(admitted) {
  return [`$HTTP["remoteip"] != "${admitted}" { url.access-deny = ( "" ) }`]
}

/** A script of one line, by kept connections. */
function fastcgi() {
  const place = '"fcgi://127.0.0.1:@BACKEND@"'
  const ask = { ...SMALL, path: '/hello.php', length: HELLO.length }
  return gated({
    name: 'fcgi-hello',
    title: 'a script of one line in PHP-FPM, kept connections',
    ask,
    ...NO_EQUIVALENT,
    visits: [{ ...STRANGER, path: ask.path }],
    files: [{ name: 'hello.php', content: `<?php echo '${HELLO}';` }],
    backend: 'php-fpm',
    httpd: {
      ...GATE.httpd,
      modules: ['proxy', 'proxy_fcgi'],
      server: [
        `<Proxy ${place} enablereuse=on>`,
        '</Proxy>',
        '<FilesMatch "\\.php$">',
        `SetHandler ${place.replace('"', '"proxy:')}`,
        '</FilesMatch>',
      ],
    },
    nginx: {
      http: KEPT.http,
      location: [
        ...GATE.nginx.location,
        'fastcgi_pass back;',
        'fastcgi_keep_conn on;',
        ...Object.entries(FASTCGI_PARAMETERS).map(([name, value]) => `fastcgi_param ${name} ${value};`),
      ],
    },
  })
}

function basic(algorithm, title, connections) {
  const file = 'users'
  const ask = { ...SMALL, headers: { Authorization: AUTHORIZATION.right } }
  const refused = { ...SMALL, status: 401, length: undefined }
  return {
    name: `basic-${algorithm}`,
    title: `Basic, ${title}`,
    ask,
    connections,
    outside: [{ name: file, content: `${PASSWORD_HASHES[algorithm]}\n` }],
    httpd: {
      modules: ['auth_basic', 'authn_file', 'authz_user'],
      directory: [
        'AuthType Basic',
        'AuthName bench',
        'AuthBasicProvider file',
        `AuthUserFile conf/${file}`,
        'Require valid-user',
      ],
    },
    nginx: { location: ['auth_basic bench;', `auth_basic_user_file conf/${file};`] },
    visits: [refused, { ...refused, headers: { Authorization: AUTHORIZATION.wrong } }],
  }
}
