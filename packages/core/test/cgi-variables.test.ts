import { DECLINED, defineModule, type Module, type Table } from '@gatewright/api'
import { site } from '@gatewright/testing'
import t from 'tap'
import alias from '../../../modules/mod_alias/src/index.ts'
import authzCore from '../../../modules/mod_authz_core/src/index.ts'
import env from '../../../modules/mod_env/src/index.ts'

/** Answers with the variables of CGI, sorted, one a line. */
const variables: Module = defineModule({
  name: 'variables_module',
  source: 'mod_variables.c',
  register({ hooks, services }) {
    hooks.handler.add((request) => {
      if (request.handler !== 'variables') return DECLINED
      const table: Table = services.cgiVariables(request)
      return request.send(
        'text/plain',
        [...table]
          .map(([name, value]) => `${name}=${value}\n`)
          .sort()
          .join(''),
      )
    })
  },
})

async function variablesOf(config: string, target: string, headers: Record<string, string> = {}): Promise<Map<string, string>> {
  const server = await site({
    modules: [authzCore, alias, env, variables],
    config: `ServerAdmin a@lab.test\n<Location "/">\nRequire all granted\nSetHandler variables\n</Location>\n${config}`,
  })
  try {
    const { body } = await server.inject({ target, headers })
    return new Map(
      body
        .toString()
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    )
  } finally {
    await server.close()
  }
}

t.test('the request, the server and the client are described', async (t) => {
  const found = await variablesOf('', '/x/y?a=%20b', { 'X-Long-Name': '1', 'Content-Type': 'text/x', Cookie: 'c=d' })
  t.match(Object.fromEntries(found), {
    GATEWAY_INTERFACE: 'CGI/1.1',
    SERVER_PROTOCOL: 'HTTP/1.1',
    REQUEST_METHOD: 'GET',
    REQUEST_URI: '/x/y?a=%20b',
    QUERY_STRING: 'a=%20b',
    REQUEST_SCHEME: 'http',
    SERVER_ADMIN: 'a@lab.test',
    HTTP_X_LONG_NAME: '1',
    HTTP_COOKIE: 'c=d',
    CONTENT_TYPE: 'text/x',
    REMOTE_ADDR: '127.0.0.1',
    SERVER_SIGNATURE: '',
  })
  t.notOk(found.has('HTTP_CONTENT_TYPE'))
})

t.test('a client cannot set a proxy, pass its credentials or disguise a field', async (t) => {
  const headers = {
    Proxy: 'http://evil.test',
    Authorization: 'Basic c2hhdTpzZWNyZXQ=',
    'Proxy-Authorization': 'Basic c2hhdTpzZWNyZXQ=',
    X_Forwarded_For: '1.2.3.4',
    'X.Dot': 'x',
  }
  const found = await variablesOf('', '/', headers)
  for (const name of found.keys()) t.notMatch(name, /PROXY|AUTHORIZATION|FORWARDED|DOT/)
})

t.test('credentials are passed with CGIPassAuth, or by a variable that was set', async (t) => {
  const headers = { Authorization: 'Bearer t' }
  const passed = await variablesOf('<Location "/">\nCGIPassAuth On\n</Location>', '/', headers)
  t.equal(passed.get('HTTP_AUTHORIZATION'), 'Bearer t')
  const set = await variablesOf('SetEnv HTTP_AUTHORIZATION own\nSetEnv OTHER 1', '/', headers)
  t.equal(set.get('HTTP_AUTHORIZATION'), 'own')
  t.equal(set.get('OTHER'), '1')
})

t.test('a variable that describes the request cannot be replaced by the environment', async (t) => {
  const found = await variablesOf('SetEnv REQUEST_METHOD EVIL\nSetEnv REMOTE_ADDR 10.0.0.1', '/')
  t.equal(found.get('REQUEST_METHOD'), 'GET')
  t.equal(found.get('REMOTE_ADDR'), '127.0.0.1')
})

t.test('the page of an error gets the address of what was asked for', async (t) => {
  const config = 'ErrorDocument 403 /page?q\n<Location "/secret">\nRequire all denied\n</Location>'
  const found = await variablesOf(config, '/secret/x?a=b')
  t.match(Object.fromEntries(found), {
    REDIRECT_URL: '/secret/x',
    REDIRECT_QUERY_STRING: 'a=b',
    REDIRECT_STATUS: '403',
    REDIRECT_REQUEST_METHOD: 'GET',
    REQUEST_URI: '/secret/x?a=b',
    QUERY_STRING: 'q',
    SCRIPT_NAME: '/page',
  })
  const present = await variablesOf(
    `${config}\n<Location "/page">\nCGIVar REQUEST_URI current-uri\nQualifyRedirectURL On\n</Location>`,
    '/secret/x',
  )
  t.equal(present.get('REQUEST_URI'), '/page?q')
  t.match(present.get('REDIRECT_URL'), /^http:\/\/[^/]+\/secret\/x$/)
})
