import { once } from 'node:events'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { DECLINED, defineModule, directive, type Module, OK, type Overlay, ResponseCut } from '@gatewright/api'
import { site } from '@gatewright/testing'
import t from 'tap'
import authBasic from '../../../modules/mod_auth_basic/src/index.ts'
import authnCore from '../../../modules/mod_authn_core/src/index.ts'
import authzCore from '../../../modules/mod_authz_core/src/index.ts'
import authzUser from '../../../modules/mod_authz_user/src/index.ts'

interface Sections {
  readonly sections: Overlay[]
}

/** Answers like a server that got the response from another one. */
function relay(tunnelled: (client: Duplex) => void = () => {}): Module<undefined, Sections> {
  return defineModule<undefined, Sections>({
    name: 'relay_module',
    source: 'mod_relay.c',
    perServer: { create: () => ({ sections: [] }) },
    directives: {
      '<Proxy': directive.section({
        scope: 'server',
        context: ['server', 'virtualhost'],
        set: (config: Sections, text, command) => {
          const section = command.walkSection('Proxy', text.slice(0, -1))
          if (!('section' in section)) return section
          config.sections.push(section)
          return undefined
        },
      }),
    },
    register({ hooks, serverConfigOf }) {
      hooks.postReadRequest.add((request) => {
        if (request.target?.form !== 'absolute') return DECLINED
        request.proxyRequest = 'forward'
        request.uri = request.target.text
        request.filename = `proxy:${request.target.text}`
        return OK
      })
      hooks.translateName.add(
        (request) => {
          if (request.proxyRequest !== null) return OK
          request.proxyRequest = 'reverse'
          request.filename = `proxy:http://backend${request.uri}`
          return OK
        },
        { rank: 'first' },
      )
      hooks.mapToStorage.add(
        (request) => {
          request.mergeSections(serverConfigOf(request.server).sections)
          return OK
        },
        { rank: 'first' },
      )
      hooks.handler.add((request) => {
        const name = request.uri.slice(request.uri.lastIndexOf('/') + 1)
        switch (name) {
          case 'odd':
            request.status = 799
            request.reason = 'Odd'
            request.headersOut.add('X', '1')
            request.headersOut.add('Date', 'yesterday')
            request.headersOut.add('Server', 'other')
            request.headersOut.add('X', '2')
            return request.respond('odd\n')
          case 'hint':
            request.sendInterim(103, 'Early Hints', [['Link', '</a>']])
            return request.respond('late\n')
          case 'tunnel':
            request.status = 101
            return request.respond({ opening: 'HTTP/1.1 101 Switching\r\n\r\n', tunnel: tunnelled })
          case 'cut':
            return request.respond(cut())
          default:
            return request.respond(`${request.filename}\n`)
        }
      })
    },
  })
}

async function* cut(): AsyncGenerator<string> {
  yield 'some'
  throw new ResponseCut('logged before')
}

const modules = [authzCore, authnCore, authBasic, authzUser]

async function raw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let got = ''
  socket.setEncoding('latin1')
  socket.on('data', (text) => {
    got += text
  })
  socket.end(bytes)
  await once(socket, 'close')
  return got
}

t.test('a relayed response keeps its status, reason, Date and Server, and its fields in order', async (t) => {
  const server = await site({ modules: [...modules, relay()] })
  t.teardown(() => server.close())
  const port = await server.listen()
  const got = await raw(port, 'GET /odd HTTP/1.0\r\n\r\n')
  t.equal(
    got,
    'HTTP/1.1 799 Odd\r\nDate: yesterday\r\nServer: other\r\nX: 1\r\nX: 2\r\nContent-Length: 4\r\nConnection: close\r\n\r\nodd\n',
  )
})

t.test('an interim response reaches the client before the response, and no client of HTTP/1.0', async (t) => {
  const server = await site({ modules: [...modules, relay()] })
  t.teardown(() => server.close())
  const port = await server.listen()
  const got = await raw(port, 'GET /hint HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  t.match(got, /^HTTP\/1\.1 103 Early Hints\r\nLink: <\/a>\r\n\r\nHTTP\/1\.1 200 OK\r\n/)
  t.match(await raw(port, 'GET /hint HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200 OK\r\n/)
})

t.test('a tunnel carries bytes both ways, and ends when the module ends it', async (t) => {
  const module = relay((client) => {
    client.on('data', (chunk: Buffer) => {
      client.write(String(chunk).toUpperCase())
      if (String(chunk).includes('bye')) client.end()
    })
    client.on('end', () => client.end())
  })
  const server = await site({ modules: [...modules, module] })
  t.teardown(() => server.close())
  const port = await server.listen()
  const socket = connect(port, '127.0.0.1')
  socket.setEncoding('latin1')
  socket.write('GET /tunnel HTTP/1.1\r\nHost: a\r\n\r\nfirst')
  let got = ''
  socket.on('data', (text) => {
    got += text
    if (got.endsWith('FIRST')) socket.write(' bye')
  })
  socket.on('end', () => socket.end())
  await once(socket, 'close')
  t.equal(got, 'HTTP/1.1 101 Switching\r\n\r\nFIRST BYE')
})

t.test('a tunnel ends when the client leaves', async (t) => {
  let closed: (() => void) | null = null
  const whenClosed = new Promise<void>((resolve) => {
    closed = resolve
  })
  const module = relay((client) => void client.on('close', () => closed?.()).resume())
  const server = await site({ modules: [...modules, module] })
  t.teardown(() => server.close())
  const port = await server.listen()
  const socket = connect(port, '127.0.0.1')
  socket.write('GET /tunnel HTTP/1.1\r\nHost: a\r\n\r\n')
  await once(socket, 'data')
  socket.resetAndDestroy()
  await whenClosed
  t.pass('the stream of the module was closed')
})

t.test('a stream that was cut breaks the response off, and the host does not log it again', async (t) => {
  const server = await site({ modules: [...modules, relay()] })
  t.teardown(() => server.close())
  const port = await server.listen()
  const got = await raw(port, 'GET /cut HTTP/1.1\r\nHost: a\r\n\r\n')
  t.notMatch(got, /0\r\n\r\n$/, 'there is no last chunk')
  t.notOk(server.errors().some((line) => line.includes('could not be completed')))
})

t.test('sections of a module decide about the requests that it maps', async (t) => {
  const config = '<Proxy x>\nRequire all denied\n</Proxy>'
  const server = await site({ modules: [...modules, relay()], config })
  t.teardown(() => server.close())
  t.match(await server.inject('/any'), { status: 403 })
  t.ok(server.errors().some((line) => line.includes('AH01630: client denied by server configuration: proxy:http://backend/any')))
})

t.test('a client that uses the server as a proxy is asked for credentials for the proxy', async (t) => {
  const config = '<Proxy x>\nAuthType Basic\nAuthName "the door"\nRequire valid-user\n</Proxy>'
  const server = await site({ modules: [...modules, relay()], config })
  t.teardown(() => server.close())
  const port = await server.listen()
  const got = await raw(port, 'GET http://other/x HTTP/1.0\r\nAuthorization: Basic eDp5\r\n\r\n')
  t.match(got, /^HTTP\/1\.1 407 Proxy Authentication Required\r\n/)
  t.match(got, /\r\nProxy-Authenticate: Basic realm="the door"\r\n/)
})
