import { site } from '@gatewright/testing'
import t from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import rewrite from '../../mod_rewrite/src/index.ts'
import ssl from '../../mod_ssl/src/index.ts'
import authRequest from '../src/index.ts'

const CONFIG = `
<Location /nginx>
  SetHandler auth-request
  AuthRequestFields nginx
  AuthRequestTrust 127.0.0.1
</Location>
<Location /caddy>
  SetHandler auth-request
  AuthRequestFields caddy
  AuthRequestTrust 127.0.0.1
</Location>
<Location /require>
  Require ssl
</Location>
<Location /strict>
  SSLRequireSSL
</Location>
<Location /expression>
  Require expr "%{HTTPS} == 'on' && %{REQUEST_SCHEME} == 'https'"
</Location>
<Location /certificate>
  SSLVerifyClient require
</Location>
<Location /optional>
  SSLVerifyClient optional
</Location>
<Location /verified>
  Require ssl-verify-client
</Location>
<Location /condition>
  SSLRequire %{SSL_CLIENT_S_DN} != "mallory"
</Location>
<Location /cipher>
  SSLCipherSuite ECDHE-RSA-AES256-GCM-SHA384
</Location>
<Location /moved>
  RewriteEngine On
  RewriteCond %{HTTPS} off
  RewriteRule .* https://%{HTTP_HOST}%{REQUEST_URI} [R=301]
</Location>`

/** What an https and an http request get: a secured connection is believed, and nothing about it is assumed. */
const DECISIONS: Readonly<Record<string, readonly [https: number, http: number]>> = {
  '/free': [200, 200],
  '/require': [200, 403],
  '/strict': [200, 403],
  '/expression': [200, 403],
  '/optional': [200, 200],
  '/certificate': [403, 200],
  '/verified': [403, 403],
  '/condition': [403, 200],
  '/cipher': [403, 200],
}

t.test('decisions know whether the original connection was secured, and assume nothing else about it', async (t) => {
  const server = await site({ modules: [authzCore, rewrite, ssl, authRequest], config: CONFIG })
  t.teardown(() => server.close())
  const nginx = async (url: string) =>
    server.inject({
      target: '/nginx',
      headers: { 'X-Original-URL': url, 'X-Original-Method': 'GET', 'X-Forwarded-For': '192.0.2.1' },
    })
  const caddy = async (scheme: string, uri: string) =>
    server.inject({
      target: '/caddy',
      headers: {
        ...{ 'X-Forwarded-Method': 'GET', 'X-Forwarded-Host': 'site.example', 'X-Forwarded-For': '192.0.2.1' },
        ...{ 'X-Forwarded-Proto': scheme, 'X-Forwarded-Uri': uri },
      },
    })
  for (const [path, [https, http]] of Object.entries(DECISIONS)) {
    for (const [scheme, expected] of [
      ['https', https],
      ['http', http],
    ] as const) {
      t.equal((await nginx(`${scheme}://site.example${path}`)).status, expected, `nginx: ${scheme} ${path}`)
      t.equal((await caddy(scheme, path)).status, expected, `Caddy: ${scheme} ${path}`)
    }
  }
  t.equal((await caddy('https', '/moved')).status, 200, 'a redirect to https ends there')
  const moved = await caddy('http', '/moved')
  t.match([moved.status, moved.header('Location')], [301, 'https://site.example/moved'])
  // A client's field means nothing: only the endpoint's questions are believed.
  const direct = await server.inject({ target: '/require', headers: { 'X-Forwarded-Proto': 'https' } })
  t.equal(direct.status, 403)
})
