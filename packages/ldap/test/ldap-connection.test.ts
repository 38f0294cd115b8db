import { readFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { hasSlapd, type Slapd, slapd } from '@gatewright/testing'
import t, { type Test } from 'tap'
import { ber, TAG } from '../src/ber.ts'
import { encodeFilter, LdapConnection, type LdapEndpoint, RESULT, type SearchRequest } from '../src/index.ts'
import { message, OPERATION } from '../src/messages.ts'

const TLS = new URL('../../../test/conformance/fixtures/tls/', import.meta.url)
const CA = readFileSync(new URL('ca.crt', TLS), 'utf8')
/** Only a failure exceeds it. */
const PATIENCE = 60_000

const PEOPLE = `dn: uid=alice,dc=example,dc=org
objectClass: inetOrgPerson
uid: alice
cn: Alice
sn: Able
mail: alice@example.org
mail: able@example.org
userPassword: secret

dn: uid=bob,dc=example,dc=org
objectClass: inetOrgPerson
uid: bob
cn: Bob
sn: Able
`

const endpoint = (port: number, more: Partial<LdapEndpoint> = {}): LdapEndpoint => ({
  host: '127.0.0.1',
  port,
  connectTimeout: PATIENCE,
  tls: null,
  ...more,
})

async function opened(t: Test, where: LdapEndpoint): Promise<LdapConnection> {
  const connection = await LdapConnection.open(where)
  if (!(connection instanceof LdapConnection)) throw new Error(connection.message)
  t.teardown(() => connection.close())
  return connection
}

const search = (filter: string, more: Partial<SearchRequest> = {}): SearchRequest => ({
  base: 'dc=example,dc=org',
  scope: 'sub',
  dereference: 'always',
  filter: encodeFilter(filter) ?? Buffer.alloc(0),
  attributes: ['uid', 'mail'],
  typesOnly: false,
  ...more,
})

t.test('with a real directory', { skip: hasSlapd() ? false : 'needs slapd' }, async (t) => {
  const file = (name: string): string => new URL(name, TLS).pathname
  const directory: Slapd = await slapd({
    ldif: PEOPLE,
    tls: { certificate: file('localhost.crt'), key: file('localhost.key'), authorities: file('ca.crt') },
  })
  t.teardown(() => directory.close())

  t.test('binds, searches and compares', async (t) => {
    const connection = await opened(t, endpoint(directory.port))
    t.match(await connection.bind('', '', PATIENCE), { code: RESULT.success })
    t.match(await connection.bind('uid=alice,dc=example,dc=org', 'wrong', PATIENCE), { code: RESULT.invalidCredentials })
    t.match(await connection.bind('uid=alice,dc=example,dc=org', 'secret', PATIENCE), { code: RESULT.success })
    t.match(await connection.bind('no dn', 'secret', PATIENCE), { code: RESULT.invalidDn })
    const found = await connection.search(search('(uid=alice)'), 2, PATIENCE)
    t.match(found, { code: RESULT.success, count: 1 })
    t.equal(found.entries[0]?.dn, 'uid=alice,dc=example,dc=org')
    t.same(found.entries[0]?.attributes.get('mail'), ['alice@example.org', 'able@example.org'])
    const many = await connection.search(search('(sn=Able)'), 1, PATIENCE)
    t.match(many, { code: RESULT.success, count: 2 })
    t.equal(many.entries.length, 1, 'only as many are kept')
    t.match(await connection.search(search('(uid=none)'), 2, PATIENCE), { code: RESULT.success, count: 0 })
    const nowhere = search('(uid=alice)', { base: 'ou=nowhere,dc=example,dc=org' })
    t.match(await connection.search(nowhere, 2, PATIENCE), { code: RESULT.noSuchObject })
    const alice = 'uid=alice,dc=example,dc=org'
    t.match(await connection.compare(alice, 'uid', 'ALICE', PATIENCE), { code: RESULT.compareTrue })
    t.match(await connection.compare(alice, 'uid', 'bob', PATIENCE), { code: RESULT.compareFalse })
    t.match(await connection.compare(alice, 'title', 'x', PATIENCE), { code: RESULT.noSuchAttribute })
  })

  t.test('answers many requests at once on one connection', async (t) => {
    const connection = await opened(t, endpoint(directory.port))
    const results = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        connection.search(search(`(uid=${index % 2 === 0 ? 'alice' : 'bob'})`), 2, PATIENCE),
      ),
    )
    for (const [index, { entries }] of results.entries())
      t.equal(entries[0]?.dn, `uid=${index % 2 === 0 ? 'alice' : 'bob'},dc=example,dc=org`)
  })

  t.test('speaks TLS at once, or after STARTTLS, to a server that is verified', async (t) => {
    const secured = await opened(t, endpoint(directory.securePort, { tls: { ca: CA } }))
    t.match(await secured.bind('uid=alice,dc=example,dc=org', 'secret', PATIENCE), { code: RESULT.success })
    const upgraded = await opened(t, endpoint(directory.port))
    t.match(await upgraded.startTls({ ca: CA }, PATIENCE), { code: RESULT.success })
    t.match(await upgraded.bind('uid=alice,dc=example,dc=org', 'secret', PATIENCE), { code: RESULT.success })

    const unknown = await LdapConnection.open(endpoint(directory.securePort, { tls: {} }))
    t.match(unknown, { code: RESULT.serverDown }, 'an unknown authority')
    const plain = await opened(t, endpoint(directory.port))
    t.match(await plain.startTls({}, PATIENCE), { code: RESULT.connectError })
    t.equal(plain.isOpen, false)
    const wrongPort = await LdapConnection.open(endpoint(directory.port, { tls: { ca: CA } }))
    t.match(wrongPort, { code: RESULT.serverDown }, 'TLS to the port in the clear')
  })

  t.test('notices a server that has ended', async (t) => {
    const connection = await opened(t, endpoint(directory.port))
    t.match(await connection.bind('', '', PATIENCE), { code: RESULT.success })
    await directory.stop()
    t.match(await connection.search(search('(uid=alice)'), 2, PATIENCE), { code: RESULT.serverDown })
    t.equal(connection.isOpen, false)
    t.match(await LdapConnection.open(endpoint(directory.port)), { code: RESULT.serverDown })
    await directory.restart()
    const again = await opened(t, endpoint(directory.port))
    t.match(await again.search(search('(uid=alice)'), 2, PATIENCE), { code: RESULT.success })
  })
})

/** A server that does what a function says. */
async function pretender(t: Test, act: (socket: Socket) => void): Promise<LdapEndpoint> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    act(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return endpoint(address.port)
}

t.test('a server that says nothing is given up after the time limit', async (t) => {
  const connection = await opened(t, await pretender(t, () => undefined))
  t.match(await connection.bind('', '', 50), { code: RESULT.timeout })
  t.equal(connection.isOpen, false, 'the connection is not used again')
  t.match(await connection.bind('', '', 50), { code: RESULT.serverDown })
})

t.test('a server that closes, or talks something else, cannot be contacted', async (t) => {
  const nonsense: ((socket: Socket) => void)[] = [
    (socket) => socket.end(),
    (socket) => socket.on('data', () => socket.destroy()),
    (socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'),
    (socket) => socket.write('220 smtp ready\r\n'),
    (socket) => socket.on('data', () => socket.write(Buffer.from([0x30, 0x84, 0x7f, 0xff, 0xff, 0xff]))),
    (socket) => socket.on('data', () => socket.write(Buffer.from('3003020101', 'hex'))),
    (socket) => socket.on('data', () => socket.write(Buffer.from('300c02010161070a010004000405', 'hex'))),
    (socket) => socket.on('data', () => socket.write(message(1, ber.wrap(OPERATION.searchDone)))),
    (socket) => socket.on('data', () => socket.write(message(0, ber.wrap(OPERATION.extendedResponse)))),
    (socket) => socket.on('data', () => socket.end(Buffer.from('300c0201016107', 'hex'))),
  ]
  for (const [index, act] of nonsense.entries()) {
    const connection = await opened(t, await pretender(t, act))
    t.match(await connection.bind('', '', PATIENCE), { code: RESULT.serverDown }, `kind ${index}`)
    t.equal(connection.isOpen, false)
  }
})

t.test('an answer to a request that nobody has made changes nothing', async (t) => {
  const done = ber.wrap(OPERATION.bindResponse, ber.integer(0, TAG.enumerated), ber.text(''), ber.text(''))
  const where = await pretender(t, (socket) => {
    socket.on('data', () => socket.write(Buffer.concat([message(77, done), message(1, done)])))
  })
  const connection = await opened(t, where)
  t.match(await connection.bind('', '', PATIENCE), { code: RESULT.success })
})

t.test('an entry of 10 MB is read, and a value of 40 MB ends the connection', async (t) => {
  const entry = (size: number): Buffer =>
    message(
      1,
      ber.wrap(
        OPERATION.searchEntry,
        ber.text('cn=large'),
        ber.wrap(TAG.sequence, ber.wrap(TAG.sequence, ber.text('photo'), ber.wrap(TAG.set, ber.text('x'.repeat(size))))),
      ),
    )
  const done = message(1, ber.wrap(OPERATION.searchDone, ber.integer(0, TAG.enumerated), ber.text(''), ber.text('')))
  const send = (size: number) =>
    pretender(t, (socket) => socket.on('data', () => socket.write(Buffer.concat([entry(size), done]))))
  const good = await opened(t, await send(10 * 1024 * 1024))
  const found = await good.search(search('(cn=*)'), 2, PATIENCE)
  t.equal(found.entries[0]?.attributes.get('photo')?.[0]?.length, 10 * 1024 * 1024)
  const bad = await opened(t, await send(40 * 1024 * 1024))
  t.match(await bad.search(search('(cn=*)'), 2, PATIENCE), { code: RESULT.serverDown })
})
