import { createHash } from 'node:crypto'
import { chmodSync, readdirSync, readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { openDbmWriter } from '@gatewright/dbm'
import { rawExchange } from '@gatewright/testing'
import t, { type Test } from 'tap'
import { authorization, challengeOf, md5 } from '../../modules/mod_auth_digest/test/support/client.ts'
import { MODULES, StagedServer } from '../fixtures/staged-server.ts'
import { until } from '../fixtures/until.ts'
import { DAV } from './dav-trials.ts'
import { FILTERS } from './filter-trials.ts'
import { SMALL } from './small-trials.ts'
import type { Trial } from './trial.ts'

const basic = (user: string, password: string): { readonly headers: { readonly Authorization: string } } => ({
  headers: { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` },
})
const sha = (password: string): string => `{SHA}${createHash('sha1').update(password).digest('base64')}`

/** Lines of a login page: `more` defines the users with access and the source of passwords. */
const login = (path: string, ...more: readonly string[]): string[] => [
  `<Location ${path}>`,
  'AuthType Basic',
  `AuthName "${path.slice(1)} zone"`,
  ...more,
  '</Location>',
]
/** The user that runs these tests and owns their files. */
const SYSTEM_USER = userInfo().username
const SYSTEM_GROUP = nameOfGroup(userInfo().gid)
/** Worth compressing. */
const LONG_TEXT = 'a long text '.repeat(40)
const PASSWORD_FILE = ['AuthBasicProvider file', 'AuthUserFile conf/users']

/** The visible effect of each module that is loaded at run time. */
const LOADED: Readonly<Record<string, Trial>> = {
  access_compat: {
    directive: 'Order deny,allow',
    config: ['<Location /compat.txt>', 'Order deny,allow', 'Deny from all', 'Allow from 127.0.0.2', '</Location>'],
    async shows(t, server) {
      t.equal((await server.get('/compat.txt')).status, 403)
      t.equal((await server.get('/compat.txt', { from: '127.0.0.2' })).status, 200)
      await eventually(t, () =>
        /^\[access_compat:error\] AH01797: client denied by server configuration: /m.test(server.errors().join('\n')),
      )
    },
  },
  alias: {
    directive: 'Redirect /x /y',
    config: [
      'Alias /elsewhere @ROOT@/elsewhere',
      'Redirect permanent /old http://new.example/place',
      '<Directory @ROOT@/elsewhere>',
      'Require all granted',
      '</Directory>',
    ],
    async shows(t, server) {
      t.match(await server.get('/elsewhere/f.txt'), { status: 200, body: 'elsewhere\n' })
      t.match(await server.get('/old/x'), { status: 301, headers: { location: 'http://new.example/place/x' } })
    },
  },
  asis: {
    config: ['<Location /sent.asis>', 'SetHandler send-as-is', '</Location>'],
    async shows(t, server) {
      t.match(await server.get('/sent.asis'), { status: 202, body: 'as it is\n' })
    },
  },
  session: {
    directive: '<Location />\nSession On\n</Location>',
    config: ['<Location /session.txt>', 'Session On', 'SessionCookieName s path=/', 'SessionMaxAge 100', '</Location>'],
    async shows(t, server) {
      t.match((await server.get('/session.txt')).headers['set-cookie'], [/^s=expiry=\d+;Max-Age=100;path=\/$/])
    },
  },
  session_cookie: {
    directive: '<Location />\nSessionCookieName s\n</Location>',
    config: [],
    async shows(t, server) {
      const { headers } = await server.get('/session.txt')
      t.equal(headers['cache-control'], 'no-cache, private')
    },
  },
  session_dbd: {
    directive: '<Location />\nSessionDBDPerUser On\n</Location>',
    config: [
      `DBDPrepareSQL "SELECT 'a=1' WHERE %s = 'known' AND %lld > 0" selectsession`,
      ...['<Location /kept.txt>', 'Session On', 'SessionDBDCookieName sid path=/', '</Location>'],
    ],
    async shows(t, server) {
      const { headers } = await server.get('/kept.txt', { headers: { Cookie: 'sid=known' } })
      t.equal(headers['cache-control'], 'no-cache, private')
    },
  },
  session_crypto: {
    directive: '<Location />\nSessionCryptoPassphrase secret\n</Location>',
    config: [
      ...['<Location /encrypted.txt>', 'Session On', 'SessionCookieName s path=/', 'SessionMaxAge 100'],
      ...['SessionCryptoPassphrase a-secret-of-many-characters', '</Location>'],
    ],
    async shows(t, server) {
      t.match((await server.get('/encrypted.txt')).headers['set-cookie'], [/^s=[A-Za-z0-9+/=]{60,};Max-Age=100;path=\/$/])
    },
  },
  auth_form: {
    directive: '<Location />\nAuthFormProvider file\n</Location>',
    config: [
      ...['<Location /form.txt>', 'AuthType form', 'AuthName app', 'AuthFormProvider file', 'AuthUserFile conf/users'],
      ...['AuthFormLoginRequiredLocation /login', 'Require valid-user', '</Location>'],
    ],
    async shows(t, server) {
      t.match(await server.get('/form.txt'), { status: 302, headers: { location: '/login' } })
    },
  },
  auth_request: {
    directive: '<Location />\nAuthRequestFields nginx\n</Location>',
    config: [
      ...[
        '<Location /decide>',
        'SetHandler auth-request',
        'AuthRequestFields nginx',
        'AuthRequestTrust 127.0.0.1',
        '</Location>',
      ],
      ...['<Location /decided>', 'Require method POST', '</Location>'],
    ],
    async shows(t, server) {
      const url = 'http://localhost/decided'
      const ask = (method: string) => ({
        headers: { 'X-Original-URL': url, 'X-Original-Method': method, 'X-Forwarded-For': '192.0.2.1' },
      })
      t.match(await server.get('/decide', ask('POST')), { status: 200 })
      t.match(await server.get('/decide', ask('GET')), { status: 403 })
    },
  },
  auth_forward: {
    directive: '<Location />\nAuthForwardURL http://127.0.0.1:9/\n</Location>',
    config: [
      ...['<Location /forward.txt>', 'AuthType Forward', 'AuthForwardURL http://127.0.0.1:9/', 'Require forward', '</Location>'],
    ],
    async shows(t, server) {
      t.match(await server.get('/forward.txt'), { status: 500 })
    },
  },
  auth_bearer: {
    directive: '<Location />\nAuthBearerAlgorithms ES256\n</Location>',
    config: [
      ...['<Location /bearer.txt>', 'AuthType Bearer', 'AuthName api', 'AuthBearerKeys http://127.0.0.1:9/'],
      ...['AuthBearerAlgorithms ES256', 'AuthBearerIssuer a', 'AuthBearerAudience b', 'Require valid-user', '</Location>'],
    ],
    async shows(t, server) {
      t.match(await server.get('/bearer.txt'), { status: 401, headers: { 'www-authenticate': 'Bearer realm="api"' } })
    },
  },
  auth_openidc: {
    directive: 'OIDCClientID web',
    config: [
      ...[
        'OIDCProviderMetadataURL http://127.0.0.1:9/.well-known/openid-configuration',
        'OIDCClientID web',
        'OIDCRedirectURI /callback',
      ],
      ...[
        'OIDCCryptoPassphrase secret',
        '<Location /openid.txt>',
        'AuthType openid-connect',
        'Require valid-user',
        '</Location>',
      ],
    ],
    async shows(t, server) {
      t.match(await server.get('/openid.txt'), { status: 401 })
      t.match(await server.get('/openid.txt', { headers: { Accept: 'text/html' } }), { status: 503 })
    },
  },
  authz_audit: {
    directive: 'AuthzAuditLog off',
    config: ['AuthzAuditLog logs/audit.log'],
    async shows(t, server) {
      t.match(await server.get('/audited'), { status: 404 })
    },
  },
  request_rate: {
    directive: 'RequestRate 10r/s',
    config: ['<Location /rated>', 'RequestRate 24r/d', '</Location>'],
    async shows(t, server) {
      t.match(await server.get('/rated'), { status: 404 })
      t.match(await server.get('/rated'), { status: 429, headers: { 'retry-after': /^\d+$/ } })
    },
  },
  auth_basic: {
    directive: '<Location />\nAuthBasicProvider file\n</Location>',
    config: login('/basic.txt', ...PASSWORD_FILE, 'Require valid-user'),
    async shows(t, server) {
      t.match(await server.get('/basic.txt'), { status: 401 })
      t.match(await server.get('/basic.txt', basic('alice', 'wrong')), { status: 401 })
      t.match(await server.get('/basic.txt', basic('alice', 'wonder')), { status: 200, body: 'basic\n' })
    },
  },
  authn_anon: {
    directive: '<Location />\nAnonymous guest\n</Location>',
    config: login('/guests.txt', 'AuthBasicProvider anon', 'Anonymous guest', 'Require valid-user'),
    async shows(t, server) {
      t.match(await server.get('/guests.txt', basic('Guest', 'me@home.example')), { status: 200, body: 'guests\n' })
      t.match(await server.get('/guests.txt', basic('guest', '')), { status: 401 })
      t.match(await server.get('/guests.txt', basic('alice', 'wonder')), { status: 401 })
    },
  },
  auth_digest: {
    directive: '<Location />\nAuthDigestProvider file\n</Location>',
    config: [
      ...['<Location /digest.txt>', 'AuthType Digest', 'AuthName zone'],
      ...['AuthDigestProvider file', 'AuthUserFile conf/digests', 'Require valid-user', '</Location>'],
    ],
    async shows(t, server) {
      const { status, headers } = await server.get('/digest.txt')
      t.equal(status, 401)
      const { nonce } = challengeOf(String(headers['www-authenticate']))
      const claim = { user: 'dan', password: 'digger', realm: 'zone', uri: '/digest.txt', nonce }
      t.match(await server.get('/digest.txt', { headers: { Authorization: authorization(claim) } }), {
        status: 200,
        body: 'digest\n',
      })
      const wrong = authorization({ ...claim, password: 'x' })
      t.match(await server.get('/digest.txt', { headers: { Authorization: wrong } }), { status: 401 })
    },
  },
  authn_core: {
    directive: '<Location />\nAuthName x\n</Location>',
    config: login('/realm.txt', ...PASSWORD_FILE, 'Require valid-user'),
    async shows(t, server) {
      t.match(await server.get('/realm.txt'), { status: 401, headers: { 'www-authenticate': 'Basic realm="realm.txt zone"' } })
    },
  },
  authn_dbd: {
    directive: '<Location />\nAuthDBDUserPWQuery x\n</Location>',
    config: login(
      '/dbd.txt',
      'AuthBasicProvider dbd',
      `AuthDBDUserPWQuery "SELECT '{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=' WHERE %s = 'dora'"`,
      'Require valid-user',
    ),
    async shows(t, server) {
      t.equal((await server.get('/dbd.txt', basic('dora', 'secret'))).status, 200)
      t.equal((await server.get('/dbd.txt', basic('alice', 'secret'))).status, 401)
    },
  },
  authn_dbm: {
    directive: '<Location />\nAuthDBMUserFile x\n</Location>',
    config: login('/dbm.txt', 'AuthBasicProvider dbm', 'AuthDBMType SDBM', 'AuthDBMUserFile conf/dbm', 'Require valid-user'),
    async shows(t, server) {
      t.match(await server.get('/dbm.txt', basic('dora', 'dbm password')), { status: 200, body: 'dbm\n' })
      t.match(await server.get('/dbm.txt', basic('dora', 'other')), { status: 401 })
      t.match(await server.get('/dbm.txt', basic('alice', 'wonder')), { status: 401 }, 'she is in the text file only')
    },
  },
  authn_socache: {
    directive: '<Location />\nAuthnCacheProvideFor file\n</Location>',
    config: [
      'AuthnCacheSOCache shmcb:logs/authn_cache(512000)',
      ...login(
        '/remembered.txt',
        'AuthBasicProvider socache file',
        'AuthUserFile conf/members',
        'AuthnCacheProvideFor file',
        'Require valid-user',
      ),
    ],
    async shows(t, server) {
      t.match(await server.get('/remembered.txt', basic('carol', 'first')), { status: 200 })
      server.file('conf/members', `carol:${sha('second')}\n`)
      t.match(await server.get('/remembered.txt', basic('carol', 'first')), { status: 200 }, 'the changed file is not asked')
      t.match(await server.get('/remembered.txt', basic('carol', 'second')), { status: 401 })
      t.match(await server.get('/remembered.txt', basic('dave', 'first')), { status: 401 }, 'for others it is')
    },
  },
  authn_file: {
    directive: '<Location />\nAuthUserFile x\n</Location>',
    config: login('/file.txt', ...PASSWORD_FILE, 'Require valid-user'),
    async shows(t, server) {
      t.match(await server.get('/file.txt', basic('alice', 'wonder')), { status: 200, body: 'file\n' })
      t.match(await server.get('/file.txt', basic('dora', 'dbm password')), { status: 401 })
    },
  },
  authz_core: {
    directive: '<Location />\nRequire all granted\n</Location>',
    config: ['<Location /closed.txt>', 'Require all denied', '</Location>'],
    async shows(t, server) {
      t.equal((await server.get('/closed.txt')).status, 403)
      await eventually(t, () =>
        /^\[authz_core:error\] AH01630: client denied by server configuration: \S+\/closed\.txt$/m.test(
          server.errors().join('\n'),
        ),
      )
    },
  },
  authz_dbd: {
    directive: '<Location />\nAuthzDBDQuery x\n</Location>',
    config: login(
      '/dbd-group.txt',
      ...PASSWORD_FILE,
      `AuthzDBDQuery "SELECT 'editors' WHERE %s = 'alice'"`,
      'Require dbd-group editors',
    ),
    async shows(t, server) {
      t.equal((await server.get('/dbd-group.txt', basic('alice', 'wonder'))).status, 200)
      t.equal((await server.get('/dbd-group.txt', basic('bob', 'builder'))).status, 401)
    },
  },
  authnz_fcgi: {
    directive: 'AuthnzFcgiDefineProvider authn Gate fcgi://127.0.0.1:1/',
    config: [
      'AuthnzFcgiDefineProvider authn Gate fcgi://127.0.0.1:1/',
      ...login('/gate.txt', 'AuthBasicProvider Gate', 'Require valid-user'),
    ],
    async shows(t, server) {
      t.equal((await server.get('/gate.txt')).status, 401)
      t.equal((await server.get('/gate.txt', basic('alice', 'secret'))).status, 500, 'no authorizer is there')
    },
  },
  authnz_ldap: {
    directive: '<Location />\nAuthLDAPBindDN x\n</Location>',
    config: login('/ldap.txt', 'AuthBasicProvider ldap', 'AuthLDAPURL ldap://127.0.0.1:1/dc=example', 'Require valid-user'),
    async shows(t, server) {
      t.equal((await server.get('/ldap.txt')).status, 401)
      t.equal((await server.get('/ldap.txt', basic('alice', 'secret'))).status, 500, 'no server of LDAP is there')
    },
  },
  http2: {
    directive: 'H2MaxWorkers 10',
    config: ['Protocols h2c http/1.1'],
    async shows(t, server) {
      t.equal((await server.get('/f.txt')).headers.upgrade, 'h2c')
    },
  },
  ldap: {
    directive: 'LDAPCacheTTL 10',
    config: ['<Location /ldap-status>', 'SetHandler ldap-status', '</Location>'],
    async shows(t, server) {
      t.match(await server.get('/ldap-status'), { status: 200, body: /LDAP/ })
    },
  },
  authz_dbm: {
    directive: '<Location />\nAuthDBMGroupFile x\n</Location>',
    config: login(
      '/dbm-group.txt',
      ...PASSWORD_FILE,
      'AuthzDBMType SDBM',
      'AuthDBMGroupFile conf/dbm-groups',
      'Require dbm-group editors',
    ),
    async shows(t, server) {
      t.match(await server.get('/dbm-group.txt', basic('alice', 'wonder')), { status: 200 })
      t.match(await server.get('/dbm-group.txt', basic('bob', 'builder')), { status: 401 })
    },
  },
  authz_groupfile: {
    directive: '<Location />\nAuthGroupFile x\n</Location>',
    config: login('/group.txt', ...PASSWORD_FILE, 'AuthGroupFile conf/groups', 'Require group builders'),
    async shows(t, server) {
      t.match(await server.get('/group.txt', basic('bob', 'builder')), { status: 200 })
      t.match(await server.get('/group.txt', basic('alice', 'wonder')), { status: 401 })
    },
  },
  authz_host: {
    missed: ['<Location />\nRequire ip 127.0.0.1\n</Location>', /^Unknown Authz provider: ip$/],
    config: ['<Location /host.txt>', 'Require ip 127.0.0.3', '</Location>'],
    async shows(t, server) {
      t.equal((await server.get('/host.txt')).status, 403)
      t.equal((await server.get('/host.txt', { from: '127.0.0.3' })).status, 200)
    },
  },
  authz_owner: {
    missed: ['<Location />\nRequire file-owner\n</Location>', /^Unknown Authz provider: file-owner$/],
    config: [
      ...login('/owner.txt', ...PASSWORD_FILE, 'Require file-owner'),
      ...login('/owning-group.txt', ...PASSWORD_FILE, 'AuthGroupFile conf/groups', 'Require file-group'),
    ],
    async shows(t, server) {
      t.match(await server.get('/owner.txt', basic(SYSTEM_USER, 'of the system')), { status: 200 })
      t.match(await server.get('/owner.txt', basic('alice', 'wonder')), { status: 401 })
      await eventually(t, () =>
        server.errors().some((line) => line.includes('AH01637: ') && line.endsWith(`file owner ${SYSTEM_USER} does not match.`)),
      )
      t.match(await server.get('/owning-group.txt', basic('bob', 'builder')), { status: 200 })
      t.match(await server.get('/owning-group.txt', basic('alice', 'wonder')), { status: 401 })
    },
  },
  authz_user: {
    missed: ['<Location />\nRequire user x\n</Location>', /^Unknown Authz provider: user$/],
    config: login('/user.txt', ...PASSWORD_FILE, 'Require user bob'),
    async shows(t, server) {
      t.match(await server.get('/user.txt', basic('bob', 'builder')), { status: 200 })
      t.match(await server.get('/user.txt', basic('alice', 'wonder')), { status: 401 })
    },
  },
  autoindex: {
    directive: 'IndexOptions FancyIndexing',
    config: ['<Directory @ROOT@/htdocs/listed>', 'Options +Indexes', 'IndexOptions FancyIndexing', '</Directory>'],
    async shows(t, server) {
      t.match(await server.get('/listed/'), { status: 200, body: /<a href="one\.txt">one\.txt<\/a> .* 3 {3}\n/ })
    },
  },
  dir: {
    directive: 'DirectoryIndex x',
    config: ['DirectoryIndex start.txt'],
    async shows(t, server) {
      t.match(await server.get('/folder/'), { status: 200, body: 'start\n' })
      t.match(await server.get('/folder'), { status: 301, headers: { location: `http://127.0.0.1:${server.port}/folder/` } })
    },
  },
  env: {
    directive: 'SetEnv A b',
    config: ['SetEnv GREETING "hello there"', 'CustomLog logs/env_log "%U %{GREETING}e"'],
    async shows(t, server) {
      await server.get('/f.txt?env')
      await eventually(t, () => /^\/f\.txt hello there$/m.test(server.read('logs/env_log')))
    },
  },
  allowmethods: {
    directive: '<Location />\nAllowMethods GET\n</Location>',
    config: ['<Location /posts-only.txt>', 'AllowMethods POST', '</Location>'],
    async shows(t, server) {
      t.match(await server.get('/posts-only.txt'), { status: 405, headers: { allow: 'TRACE' } })
    },
  },
  dbd: {
    directive: 'DBDMin 1',
    config: ['DBDriver sqlite3', 'DBDParams @ROOT@/site.db'],
    async shows(t, server) {
      t.equal((await server.get('/dbd.txt', basic('dora', 'secret'))).status, 200)
    },
  },
  deflate: {
    directive: 'DeflateCompressionLevel 5',
    config: ['<Location /long.txt>', 'SetOutputFilter DEFLATE', '</Location>'],
    async shows(t, server) {
      t.match(await server.get('/long.txt', { headers: { 'Accept-Encoding': 'gzip' } }), {
        headers: { 'content-encoding': 'gzip', vary: 'Accept-Encoding' },
      })
      t.match(await server.get('/long.txt'), { body: LONG_TEXT })
    },
  },
  expires: {
    directive: 'ExpiresActive On',
    config: ['<Location /f.txt>', 'ExpiresActive On', 'ExpiresDefault "access plus 1 hour"', '</Location>'],
    async shows(t, server) {
      t.match(await server.get('/f.txt'), { headers: { 'cache-control': 'max-age=3600' } })
    },
  },
  filter: {
    directive: 'AddOutputFilterByType DEFLATE text/plain',
    config: ['AddOutputFilterByType DEFLATE text/x-special'],
    async shows(t, server) {
      t.match(await server.get('/long.special', { headers: { 'Accept-Encoding': 'gzip' } }), {
        headers: { 'content-encoding': 'gzip' },
      })
    },
  },
  headers: {
    directive: 'Header set A b',
    config: ['Header set X-Greeting "hello there"'],
    async shows(t, server) {
      t.match(await server.get('/f.txt'), { headers: { 'x-greeting': 'hello there' } })
    },
  },
  info: {
    directive: 'AddModuleInfo core.c x',
    config: [
      '<Location /server-info>',
      'SetHandler server-info',
      '</Location>',
      'AddModuleInfo mod_info.c "<b>it shows all</b>"',
    ],
    async shows(t, server) {
      const { status, body } = await server.get('/server-info?mod_info.c')
      t.equal(status, 200)
      t.match(body, '<dd><b>it shows all</b></dd>')
      t.match((await server.get('/server-info?list')).body, '<dd>mod_mime.c</dd>')
    },
  },
  heartbeat: {
    directive: 'HeartbeatAddress 127.0.0.1:9',
    config: ['HeartbeatAddress 255.255.255.255:9'],
    async shows(t, server) {
      await eventually(t, () => /AH02099: Heartbeat: apr_socket_sendto failed/.test(server.errors().join('\n')))
    },
  },
  heartmonitor: {
    directive: 'HeartbeatListen 239.0.0.1:9',
    config: ['<Location /heartbeat>', 'SetHandler heartbeat', '</Location>'],
    async shows(t, server) {
      t.equal((await server.get('/heartbeat')).status, 405)
    },
  },
  lbmethod_bybusyness: {
    missed: ['<Proxy balancer://bybusyness>\nProxySet lbmethod=bybusyness\n</Proxy>', /unknown lbmethod/],
    config: [
      '<Proxy balancer://bybusyness>',
      'BalancerMember http://127.0.0.1:1',
      'ProxySet lbmethod=bybusyness',
      '</Proxy>',
      'ProxyPass /bybusyness/ balancer://bybusyness/',
    ],
    async shows(t, server) {
      t.equal((await server.get('/bybusyness/x')).status, 503)
    },
  },
  lbmethod_heartbeat: {
    missed: ['<Proxy balancer://heartbeat>\nProxySet lbmethod=heartbeat\n</Proxy>', /unknown lbmethod/],
    config: [
      '<Proxy balancer://heartbeat>',
      'BalancerMember http://127.0.0.1:1',
      'ProxySet lbmethod=heartbeat',
      '</Proxy>',
      'ProxyPass /heartbeats/ balancer://heartbeat/',
    ],
    async shows(t, server) {
      t.equal((await server.get('/heartbeats/x')).status, 503)
    },
  },
  lbmethod_byrequests: {
    missed: ['<Proxy balancer://byrequests>\nProxySet lbmethod=byrequests\n</Proxy>', /unknown lbmethod/],
    config: [
      '<Proxy balancer://byrequests>',
      'BalancerMember http://127.0.0.1:1',
      'ProxySet lbmethod=byrequests',
      '</Proxy>',
      'ProxyPass /byrequests/ balancer://byrequests/',
    ],
    async shows(t, server) {
      t.equal((await server.get('/byrequests/x')).status, 503)
    },
  },
  lbmethod_bytraffic: {
    missed: ['<Proxy balancer://bytraffic>\nProxySet lbmethod=bytraffic\n</Proxy>', /unknown lbmethod/],
    config: [
      '<Proxy balancer://bytraffic>',
      'BalancerMember http://127.0.0.1:1',
      'ProxySet lbmethod=bytraffic',
      '</Proxy>',
      'ProxyPass /bytraffic/ balancer://bytraffic/',
    ],
    async shows(t, server) {
      t.equal((await server.get('/bytraffic/x')).status, 503)
    },
  },
  macro: {
    directive: 'Use none',
    config: [
      '<Macro label $path $text>',
      '<Location $path>',
      'Header set X-Label "$text"',
      '</Location>',
      '</Macro>',
      'Use label /f.txt hello',
    ],
    async shows(t, server) {
      t.match(await server.get('/f.txt'), { headers: { 'x-label': 'hello' } })
    },
  },
  mime: {
    directive: 'AddType a/b c',
    config: ['TypesConfig conf/mime.types', 'AddType text/x-special .special'],
    async shows(t, server) {
      t.match(await server.get('/f.txt'), { headers: { 'content-type': 'text/from-the-table' } })
      t.match(await server.get('/f.special'), { headers: { 'content-type': 'text/x-special' } })
    },
  },
  negotiation: {
    directive: 'LanguagePriority en',
    config: ['AddLanguage fr .fr', 'AddLanguage en .en', '<Directory @ROOT@/htdocs/many>', 'Options +MultiViews', '</Directory>'],
    async shows(t, server) {
      t.match(await server.get('/many/page', { headers: { 'Accept-Language': 'fr' } }), { status: 200, body: 'bonjour\n' })
      t.match(await server.get('/many/page', { headers: { 'Accept-Language': 'es' } }), { status: 406 })
    },
  },
  request: {
    directive: 'KeptBodySize 5',
    config: ['<Location /many/page.txt.fr>', 'KeptBodySize 5', '</Location>'],
    async shows(t, server) {
      t.match(await server.get('/many/page.txt.fr'), { status: 200 })
      t.match(await server.get('/many/page.txt.fr', { headers: { 'Content-Length': '6' } }), { status: 413 })
    },
  },
  remoteip: {
    directive: 'RemoteIPHeader X',
    config: [
      'RemoteIPHeader X-Client',
      'RemoteIPInternalProxy 127.0.0.4',
      'LogFormat "%a %{c}a %{remote}p %U" client',
      'CustomLog logs/client_log client',
      '<Location /behind.txt>',
      'Require ip 203.0.113.7',
      '</Location>',
    ],
    async shows(t, server) {
      const headers = { 'X-Client': '203.0.113.7' }
      t.equal((await server.get('/behind.txt', { headers, from: '127.0.0.4' })).status, 200)
      t.equal((await server.get('/behind.txt', { headers })).status, 403)
      await eventually(t, () => /^203\.0\.113\.7 127\.0\.0\.4 0 \/behind\.txt$/m.test(server.read('logs/client_log')))
    },
  },
  reqtimeout: {
    directive: 'RequestReadTimeout header=20',
    config: ['RequestReadTimeout header=1 body=20'],
    async shows(t, server) {
      t.match(await rawExchange(server.port, 'GET /f.txt HTTP/1.1\r\nHost: lo'), /^HTTP\/1\.1 408 Request Timeout\r\n/)
    },
  },
  proxy: {
    directive: 'ProxyVia On',
    config: [
      ...['<Proxy "http://127.0.0.1:1/refused/*">', 'Require all denied', '</Proxy>'],
      'ProxyPass /refused/ http://127.0.0.1:1/refused/',
    ],
    async shows(t, server) {
      t.equal((await server.get('/refused/x')).status, 403)
    },
  },
  proxy_balancer: {
    config: ['<Proxy balancer://empty>', '</Proxy>', 'ProxyPass /empty/ balancer://empty/'],
    async shows(t, server) {
      // Without the module no one knows the scheme: 500.
      t.equal((await server.get('/empty/x')).status, 503)
    },
  },
  actions: {
    config: ['Action text/plain /nothing'],
    async shows(t, server) {
      t.equal((await server.get('/nothing.txt')).status, 404)
    },
  },
  cgi: {
    directive: 'CGIScriptTimeout 10',
    config: ['<Location /script>\nSetHandler cgi-script\nOptions +ExecCGI\n</Location>'],
    async shows(t, server) {
      t.equal((await server.get('/script')).status, 404)
    },
  },
  cgid: {
    directive: 'CGIDScriptTimeout 10',
    config: ['<Location /script>\nSetHandler cgi-script\nOptions +ExecCGI\n</Location>'],
    async shows(t, server) {
      t.equal((await server.get('/script')).status, 404)
    },
  },
  fcgid: {
    directive: 'FcgidIOTimeout 10',
    config: ['<Location /program>', 'SetHandler fcgid-script', 'Options +ExecCGI', '</Location>'],
    async shows(t, server) {
      t.equal((await server.get('/program')).status, 404)
    },
  },
  wsgi: {
    directive: 'WSGIScriptReloading On',
    config: ['<Location /application>', 'SetHandler wsgi-script', 'Options +ExecCGI', '</Location>'],
    async shows(t, server) {
      t.equal((await server.get('/application')).status, 404)
    },
  },
  proxy_ajp: {
    config: ['ProxyPass /ajp/ ajp://127.0.0.1:1/'],
    async shows(t, server) {
      t.equal((await server.get('/ajp/x')).status, 503)
    },
  },
  proxy_scgi: {
    directive: '<Location />\nProxySCGISendfile On\n</Location>',
    config: ['ProxyPass /scgi/ scgi://127.0.0.1:1/'],
    async shows(t, server) {
      t.equal((await server.get('/scgi/x')).status, 503)
    },
  },
  proxy_uwsgi: {
    config: ['ProxyPass /uwsgi/ uwsgi://127.0.0.1:1/'],
    async shows(t, server) {
      t.equal((await server.get('/uwsgi/x')).status, 503)
    },
  },
  proxy_express: {
    directive: 'ProxyExpressEnable On',
    config: ['ProxyExpressEnable On', 'ProxyExpressDBMFile conf/no-such-map'],
    async shows(t, server) {
      t.equal((await server.get('/many/page.txt.fr')).status, 200)
    },
  },
  proxy_connect: {
    directive: 'AllowCONNECT 443',
    config: ['ProxyPass /plain/ http://127.0.0.1:1/'],
    async shows(t, server) {
      t.equal((await server.get('/many/page.txt.fr')).status, 200)
    },
  },
  proxy_wstunnel: {
    directive: 'ProxyWebsocketFallbackToProxyHttp Off',
    config: ['ProxyWebsocketFallbackToProxyHttp Off', 'ProxyPass /socket/ ws://127.0.0.1:1/'],
    async shows(t, server) {
      t.equal((await server.get('/socket/x')).status, 404)
      t.equal((await server.get('/socket/x', { headers: { Connection: 'Upgrade', Upgrade: 'other' } })).status, 426)
    },
  },
  php: {
    directive: 'php_value memory_limit 9M',
    config: ['<FilesMatch "\\.php$">', 'SetHandler application/x-httpd-php', '</FilesMatch>', 'php_flag engine off'],
    async shows(t, server) {
      server.file('htdocs/off.php', '<?php a file')
      t.match(await server.get('/off.php'), { status: 200, body: '<?php a file' })
    },
  },
  proxy_fcgi: {
    directive: '<Location />\nProxyFCGIBackendType FPM\n</Location>',
    config: ['ProxyPass /responder/ fcgi://127.0.0.1:1/'],
    async shows(t, server) {
      // Without the module no one knows the scheme: 500.
      t.equal((await server.get('/responder/x')).status, 503)
    },
  },
  proxy_hcheck: {
    directive: 'ProxyHCTemplate web hcmethod=TCP',
    config: [
      ...['<Proxy balancer://checked>', 'BalancerMember http://127.0.0.1:1 hcmethod=TCP hcinterval=100ms', '</Proxy>'],
      'ProxyPass /checked/ balancer://checked/',
    ],
    async shows(t, server) {
      await eventually(t, () => /AH00957: HCTCP: attempt to connect to 127\.0\.0\.1:1/.test(server.errors().join('\n')))
    },
  },
  proxy_http2: {
    config: ['ProxyPass /backend2/ h2c://127.0.0.1:1/'],
    async shows(t, server) {
      // Without the module no one knows the scheme: 500.
      t.equal((await server.get('/backend2/x')).status, 503)
    },
  },
  proxy_http: {
    config: ['ProxyPass /backend/ http://127.0.0.1:1/'],
    async shows(t, server) {
      t.equal((await server.get('/backend/x')).status, 503)
    },
  },
  rewrite: {
    directive: 'RewriteEngine On',
    // Virtual hosts do not inherit the rules of the server, folders do.
    config: [
      ...['<Directory @ROOT@/htdocs>', 'RewriteEngine On'],
      ...['RewriteRule ^renamed$ f.txt?from=%{REQUEST_URI} [L]', 'RewriteRule ^gone - [G]', '</Directory>'],
    ],
    async shows(t, server) {
      t.match(await server.get('/renamed'), { status: 200 })
      t.match(await server.get('/gone'), { status: 410 })
    },
  },
  setenvif: {
    directive: 'SetEnvIf Host x y',
    config: ['SetEnvIf User-Agent "^robot" ROBOT=yes', '<Location /robots-only.txt>', 'Require env ROBOT', '</Location>'],
    async shows(t, server) {
      t.equal((await server.get('/robots-only.txt', { headers: { 'User-Agent': 'robot 2' } })).status, 200)
      t.equal((await server.get('/robots-only.txt', { headers: { 'User-Agent': 'a robot' } })).status, 403)
    },
  },
  userdir: {
    directive: 'UserDir x',
    config: ['UserDir @ROOT@/people', '<Directory @ROOT@/people>', 'Require all granted', '</Directory>'],
    async shows(t, server) {
      t.match(await server.get('/~ann/f.txt'), { status: 200, body: 'ann\n' })
      t.match(await server.get('/~bob/f.txt'), { status: 404 })
    },
  },
  vhost_alias: {
    directive: 'VirtualDocumentRoot none',
    config: [
      'UseCanonicalName Off',
      '<VirtualHost *>',
      'ServerName catch.all',
      '</VirtualHost>',
      '<VirtualHost *>',
      'ServerName sites.example',
      'ServerAlias *.sites.example',
      'VirtualDocumentRoot @ROOT@/sites/%1',
      '<Directory @ROOT@/sites>',
      'Require all granted',
      '</Directory>',
      '</VirtualHost>',
    ],
    async shows(t, server) {
      t.match(await server.get('/f.txt', { headers: { Host: 'one.sites.example' } }), { status: 200, body: 'site one\n' })
      t.match(await server.get('/f.txt', { headers: { Host: 'two.sites.example' } }), { status: 404 })
    },
  },
  md: {
    directive: 'MDomain managed.example',
    config: ['<Location /md-status>', 'SetHandler md-status', '</Location>'],
    async shows(t, server) {
      const { status, body } = await server.get('/md-status')
      t.equal(status, 200)
      t.match(JSON.parse(body), { 'managed-domains': [] })
    },
  },
  slotmem_shm: {
    config: [
      '<Proxy balancer://shared>',
      'BalancerMember http://127.0.0.1:1 retry=60',
      'ProxySet forcerecovery=Off',
      '</Proxy>',
      'ProxyPass /shared/ balancer://shared/',
    ],
    async shows(t, server) {
      t.equal((await server.get('/shared/x')).status, 503)
      for (let request = 0; request < 10; request++) await server.get('/shared/x')
      await eventually(t, () => /AH01170: balancer:\/\/shared: All workers are in error/.test(server.errors().join('\n')))
    },
  },
  socache_dbm: {
    config: [],
    async shows(t, server) {
      const { status } = await server.run('-t', '-c', 'AuthnCacheSOCache dbm:cache')
      t.equal(status, 0)
    },
  },
  socache_memcache: {
    directive: 'MemcacheConnTTL 10',
    config: [],
    async shows(t, server) {
      const { status } = await server.run('-t', '-c', 'AuthnCacheSOCache memcache:127.0.0.1:1')
      t.equal(status, 0)
    },
  },
  socache_redis: {
    directive: 'RedisTimeout 1',
    config: [],
    async shows(t, server) {
      const { status } = await server.run('-t', '-c', 'AuthnCacheSOCache redis:127.0.0.1:1')
      t.equal(status, 0)
    },
  },
  socache_shmcb: {
    config: ['SSLSessionCache shmcb:logs/sessions(512000)'],
    async shows(t, server) {
      // "Init: Session Cache is not configured"
      t.notMatch(server.errors().join('\n'), /AH01873/)
    },
  },
  ssl: {
    directive: 'SSLProtocol all',
    config: ['<Location /secured.txt>', 'SSLRequireSSL', '</Location>'],
    async shows(t, server) {
      t.match(await server.get('/secured.txt'), { status: 403 })
    },
  },
  status: {
    config: ['<Location /server-status>', 'SetHandler server-status', '</Location>'],
    async shows(t, server) {
      const { status, body } = await server.get('/server-status?auto')
      t.equal(status, 200)
      t.match(body, /^Total Accesses: \d+$/m)
    },
  },
  ...FILTERS,
  ...DAV,
  ...SMALL,
}

/** Compiled-in modules: LoadModule reports that, and they work without it. */
const COMPILED_IN: readonly string[] = ['log_config', 'logio', 'unixd', 'version', 'watchdog']

t.test('every module file of dist is tried here', async (t) => {
  const built = readdirSync(MODULES)
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => name.replace(/^mod_(\w+)\.mjs$/, '$1'))
  t.strictSame(built.sort(), [...Object.keys(LOADED), ...COMPILED_IN].sort())
})

const loadLine = (name: string): string => `LoadModule ${name}_module ${join(MODULES, `mod_${name}.so`)}`

t.test('a server that loads all modules from their built files', async (t) => {
  const server = await StagedServer.make(t)
  server.file('htdocs/sent.asis', 'Status: 202 Accepted\nContent-Type: text/plain\n\nas it is\n')
  for (const name of [
    'session',
    'encrypted',
    'kept',
    'gate',
    'form',
    'basic',
    'guests',
    'realm',
    'dbd',
    'dbd-group',
    'dbm',
    'digest',
    'file',
    'closed',
    'dbm-group',
    'group',
    'owner',
    'owning-group',
    'remembered',
    'host',
    'user',
    'compat',
    'robots-only',
    'behind',
  ]) {
    server.file(`htdocs/${name}.txt`, `${name}\n`)
  }
  for (const path of ['htdocs/f.txt', 'htdocs/f.special']) server.file(path, 'f\n')
  for (const path of ['htdocs/long.txt', 'htdocs/long.special']) server.file(path, LONG_TEXT)
  server.file('elsewhere/f.txt', 'elsewhere\n')
  // An empty file is a database without tables, which is enough for these queries.
  server.file('site.db', '')
  chmodSync(server.path('site.db'), 0o666)
  server.file('htdocs/many/page.txt.fr', 'bonjour\n')
  server.file('htdocs/many/page.txt.en', 'hello\n')
  server.file('people/ann/f.txt', 'ann\n')
  server.file('sites/one/f.txt', 'site one\n')
  server.file('htdocs/folder/start.txt', 'start\n')
  server.file('htdocs/listed/one.txt', 'one')
  server.file('conf/magic', '0\tstring\tGIF\timage/gif\n')
  server.file('conf/mime.types', '# a table\ntext/from-the-table txt\n')
  server.file('conf/users', `alice:${sha('wonder')}\nbob:${sha('builder')}\n${SYSTEM_USER}:${sha('of the system')}\n`)
  server.file('conf/members', `carol:${sha('first')}\n`)
  server.file('conf/groups', `builders: bob\neditors: alice\n${SYSTEM_GROUP}: bob\n`)
  server.file('conf/digests', `dan:zone:${md5('dan:zone:digger')}\n`)
  writeSdbm(server.path('conf/dbm'), { dora: sha('dbm password') })
  writeSdbm(server.path('conf/dbm-groups'), { alice: 'readers,editors', bob: 'readers' })
  server.configure(
    ...Object.keys(LOADED).map(loadLine),
    '<Directory @ROOT@/htdocs>',
    'Require all granted',
    '</Directory>',
    ...Object.values(LOADED).flatMap(({ config }) => config),
    'LogFormat "%h \\"%r\\" %>s in %I out %O" traffic',
    'CustomLog logs/traffic_log traffic',
    '<IfVersion >= 2.4>',
    '<Location /version>',
    'ErrorDocument 404 "the version is right"',
    '</Location>',
    '</IfVersion>',
  )
  await server.start()
  for (const [name, { shows }] of Object.entries(LOADED)) {
    await t.test(`mod_${name}, loaded from its built file, does its work`, (t) => shows(t, server))
  }
  await t.test('mod_log_config and mod_logio, compiled in, write the access log with what went over the wire', async (t) => {
    await server.get('/f.txt?logged')
    await eventually(t, () =>
      /^127\.0\.0\.1 "GET \/f\.txt\?logged HTTP\/1\.1" 200 in [1-9]\d+ out [1-9]\d+$/m.test(server.read('logs/traffic_log')),
    )
  })
  await t.test('mod_version, compiled in, decides its sections', async (t) => {
    t.match(await server.get('/version'), { status: 404, body: 'the version is right' })
  })
  await t.test('mod_unixd, compiled in, knows who the server works as', async (t) => {
    const { status, stderr } = await server.run('-t', '-c', 'User no-such-user')
    t.equal(status, 1)
    t.match(stderr[0], 'AH00543: httpd: bad user name no-such-user')
  })
  await t.test('they are listed in the order of their lines, after the compiled-in ones', async (t) => {
    const { stdout } = await server.run('-M')
    t.strictSame(
      stdout.filter((line) => line.endsWith('(shared)')),
      Object.keys(LOADED).map((name) => ` ${name}_module (shared)`),
    )
    for (const name of COMPILED_IN) t.ok(stdout.includes(` ${name}_module (static)`), name)
  })
  t.match(await server.stop(), { status: 0, stdout: [], stderr: [] })
})

t.test('what is compiled in cannot be loaded', async (t) => {
  const server = await StagedServer.make(t)
  for (const name of COMPILED_IN) {
    const line = server.configure(loadLine(name)) + 1
    const { status, stderr } = await server.run('-t')
    t.equal(status, 1)
    t.equal(
      stderr[0],
      `httpd: Syntax error on line ${line} of ${server.path('conf/httpd.conf')}: module ${name}_module is built-in and can't be loaded`,
    )
  }
})

t.test('without its LoadModule line nothing of a module is there', async (t) => {
  for (const [name, { directive, missed }] of Object.entries(LOADED)) {
    const server = await StagedServer.make(t)
    const others = Object.keys(LOADED).filter((one) => one !== name)
    const line = directive ?? missed?.[0]
    if (line === undefined) continue
    server.configure(...others.map(loadLine), line)
    const { status, stderr } = await server.run('-t')
    t.equal(status, 1, name)
    if (directive === undefined) t.match(stderr[1], missed?.[1], name)
    else
      t.match(
        stderr.slice(1),
        [
          /^Invalid command '\w+', perhaps misspelled or defined by a module not included/,
          new RegExp(`^hint: \\w+ belongs to mod_${name}: `),
        ],
        name,
      )
  }
})

/** Users or groups as written by httpd's tools, readable for the user of the workers. */
function writeSdbm(path: string, records: Readonly<Record<string, string>>): void {
  const writer = openDbmWriter(path, 'SDBM', 'create')
  for (const [key, value] of Object.entries(records)) writer.insert(Buffer.from(key, 'latin1'), Buffer.from(value, 'latin1'))
  writer.close()
  for (const ending of ['.dir', '.pag']) chmodSync(`${path}${ending}`, 0o644)
}

function nameOfGroup(gid: number): string {
  return new RegExp(`^([^:]+):[^:]*:${gid}:`, 'm').exec(readFileSync('/etc/group', 'latin1'))?.[1] ?? ''
}

/** Polls until a condition holds; a log line may be written a turn after the answer. */
async function eventually(t: Test, holds: () => boolean): Promise<void> {
  await until('the expected line is there', holds)
  t.pass()
}
