import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NameServer, nameBytes, reverseName } from '@gatewright/testing'
import t, { type Test } from 'tap'
import { NameService } from '../src/services/names/index.ts'
import { TurnClock } from '../src/services/watch-file.ts'

interface Bench {
  readonly server: NameServer
  readonly names: NameService
  readonly complaints: readonly string[]
  /** Replaces the hosts file, and waits for the next turn. */
  hosts(text: string): Promise<void>
}

async function bench(t: Test, { patience = 20_000, hosts = '' } = {}): Promise<Bench> {
  const folder = mkdtempSync(join(tmpdir(), 'gatewright-names-'))
  const hostsFile = join(folder, 'hosts')
  writeFileSync(hostsFile, hosts)
  const server = await NameServer.start(t)
  const complaints: string[] = []
  const names = new NameService({ servers: [server.address], hostsFile, patience }, new TurnClock(), (text) =>
    complaints.push(text),
  )
  t.teardown(() => {
    names.close()
    rmSync(folder, { recursive: true })
  })
  return {
    server,
    names,
    complaints,
    hosts: async (text) => {
      writeFileSync(hostsFile, text)
      await new Promise(setImmediate)
    },
  }
}

/** The double reverse lookup. */
async function proved({ names }: Bench, address: string): Promise<string | null> {
  const name = await names.nameOf(address)
  return name !== null && (await names.leadsTo(name, address)) ? name : null
}

t.test('a name that leads back to the address is proved, in lower case', async (t) => {
  const made = await bench(t)
  made.server.pair('10.0.0.1', 'Web.Good.Example').pair('2001:db8::1', 'six.example')
  t.equal(await proved(made, '10.0.0.1'), 'web.good.example')
  t.equal(await proved(made, '::ffff:10.0.0.1'), 'web.good.example', 'IPv4 in IPv6 clothes is IPv4')
  t.equal(await proved(made, '2001:db8::1'), 'six.example')
  t.same(made.server.questions, [
    'PTR 1.0.0.10.in-addr.arpa',
    'A web.good.example',
    `PTR ${'1.0.0.0.'.padEnd(48, '0.')}8.b.d.0.1.0.0.2.ip6.arpa`,
    'AAAA six.example',
  ])
})

t.test('addresses are compared as addresses', async (t) => {
  const made = await bench(t)
  made.server.pair('2001:db8::1', 'six.example')
  t.equal(await proved(made, '2001:0DB8:0:0::1'), 'six.example')
  made.server.on('PTR 10.0.0.2', { records: [{ type: 'PTR', value: 'mapped.example' }] })
  made.server.on('AAAA mapped.example', { records: [{ type: 'AAAA', value: '::ffff:10.0.0.2' }] })
  t.equal(await proved(made, '10.0.0.2'), 'mapped.example')
})

t.test('one of several addresses is enough, and only the first of several names counts', async (t) => {
  const made = await bench(t)
  const names = ['liar.example', 'true.example'].map((value) => ({ type: 'PTR', value }) as const)
  const addresses = ['10.9.9.9', '10.0.0.1', '10.0.0.2'].map((value) => ({ type: 'A', value }) as const)
  made.server.on('PTR 10.0.0.1', { records: names }).on('PTR 10.0.0.2', { records: names.toReversed() })
  made.server.on('A true.example', { records: addresses })
  t.equal(await proved(made, '10.0.0.1'), null)
  t.equal(await proved(made, '10.0.0.2'), 'true.example')
})

t.test('aliases are followed in both directions', async (t) => {
  const made = await bench(t)
  made.server.on('PTR 10.0.0.1', {
    records: [
      { type: 'CNAME', value: '1.0-127.0.0.10.in-addr.arpa' },
      { type: 'PTR', name: '1.0-127.0.0.10.in-addr.arpa', value: 'chain.example' },
    ],
  })
  made.server.on('A chain.example', {
    records: [
      { type: 'CNAME', value: 'real.example' },
      { type: 'A', name: 'real.example', value: '10.0.0.1' },
    ],
  })
  t.equal(await proved(made, '10.0.0.1'), 'chain.example')
})

t.test('a faulty answer of a name server is not a name', async (t) => {
  const made = await bench(t)
  const ptr = (value: string) => ({ records: [{ type: 'PTR', value }] }) as const
  const failures = [
    ['unknown', { code: 'name-error' }],
    ['failing', { code: 'failure' }],
    ['refusing', { code: 'refused' }],
    ['empty', { records: [] }],
    ['an address as the only record', { records: [{ type: 'A', value: '10.0.0.1' }] }],
    ['truncated, and nobody answers TCP', { flaw: 'truncated' }],
    ['a name that leads nowhere', ptr('nowhere.example')],
    ['bytes that are not a name', ptr('a"\n\x1b[31m\xff.example')],
    ['a quote', ptr("o'hara.example")],
    ['a hyphen first', ptr('-x.example')],
    ['a blank', ptr('good example')],
    ['an empty label by escape', ptr('a\\.example')],
    ['its own address', ptr('10.0.0.1')],
    ['an address in hexadecimal', ptr('0x0a000001')],
    ['a number at the end', ptr('web.10')],
  ] as const
  const turns = failures.map(async ([what, reply], index) => {
    const address = `10.0.1.${index}`
    made.server.on(`PTR ${address}`, reply)
    t.equal(await proved(made, address), null, what)
  })
  await Promise.all(turns)
  t.notOk(
    made.server.questions.some((question) => /10\.0\.0\.1$|x0a|web\.10|hara|example.*\s/.test(question)),
    'and is not asked about',
  )
})

t.test('an unrelated answer, or none, is not a name after the timeout', async (t) => {
  const made = await bench(t, { patience: 120 })
  const flaws = ['no-answer', 'wrong-id', 'garbage', 'other-question'] as const
  const turns = flaws.map(async (flaw, index) => {
    made.server.on(`PTR 10.0.2.${index}`, { flaw, records: [{ type: 'PTR', value: 'x.example' }] })
    t.equal(await proved(made, `10.0.2.${index}`), null, flaw)
  })
  await Promise.all(turns)
})

t.test('answers of damaged or random bytes are no name, or a possible one, and never an error', async (t) => {
  const made = await bench(t, { patience: 500 })
  let state = 11
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const found: string[] = []
  for (let index = 0; index < 160; index++) {
    const address = `10.0.3.${index}`
    const question = Buffer.concat([nameBytes(reverseName(address)), Buffer.from([0, 12, 0, 1])])
    const answer = Buffer.concat([Buffer.from([0xc0, 12, 0, 12, 0, 1, 0, 0, 1, 0, 0, 13]), nameBytes('web.example')])
    // Damage to the question makes this the answer to another question.
    for (let count = 1 + random(3); count > 0; count--) answer[random(answer.length)] = random(256)
    const damaged = Buffer.concat([Buffer.from([0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0]), question, answer])
    const noise = Buffer.from(Array.from({ length: random(200) }, () => random(256)))
    made.server.on(`PTR ${address}`, {
      raw: index % 8 === 0 ? noise : damaged.subarray(0, damaged.length - (index % 8 === 1 ? random(40) : 0)),
    })
    const name = await made.names.nameOf(address)
    if (name !== null) found.push(name)
  }
  t.same(
    found.filter((name) => !/^[a-z0-9_][a-z0-9_.-]*$/.test(name)),
    [],
  )
  t.ok(found.length > 10 && found.length < 150, `${found.length} names`)
})

t.test('a name server that fails the second question proves nothing', async (t) => {
  const made = await bench(t)
  made.server.on('PTR 10.0.0.1', { records: [{ type: 'PTR', value: 'x.example' }] })
  made.server.on('A x.example', { code: 'failure' })
  t.equal(await made.names.nameOf('10.0.0.1'), 'x.example')
  t.equal(await proved(made, '10.0.0.1'), null)
})

t.test('a lost packet is sent again', async (t) => {
  const made = await bench(t, { patience: 3000 })
  made.server.on('PTR 10.0.0.1', { flaw: 'no-answer' })
  const name = proved(made, '10.0.0.1')
  await made.server.asked('PTR 10.0.0.1')
  made.server.pair('10.0.0.1', 'second.example')
  t.equal(await name, 'second.example')
})

t.test('clients of one address share a question, and later ones its answer', async (t) => {
  const made = await bench(t)
  const { promise, resolve } = Promise.withResolvers<void>()
  made.server.on('PTR 10.0.0.1', { records: [{ type: 'PTR', value: 'x.example' }], after: promise })
  made.server.on('A x.example', { records: [{ type: 'A', value: '10.0.0.1' }] })
  const clients = Array.from({ length: 20 }, () => proved(made, '10.0.0.1'))
  await made.server.asked('PTR 10.0.0.1')
  resolve()
  t.same(new Set(await Promise.all(clients)), new Set(['x.example']))
  t.equal(made.names.nameOf('10.0.0.1'), 'x.example')
  t.equal(made.names.leadsTo('x.example', '10.0.0.1'), true)
  t.equal(made.server.questions.length, 2)
})

t.test('a record that must not be cached is queried again, and a failure is cached', async (t) => {
  const made = await bench(t)
  made.server.pair('10.0.0.1', 'x.example', 0).on('PTR 10.0.0.2', { code: 'failure' })
  await proved(made, '10.0.0.1')
  made.server.on('A x.example', { records: [{ type: 'A', value: '10.9.9.9' }] })
  t.equal(await proved(made, '10.0.0.1'), null)
  t.equal(await made.names.nameOf('10.0.0.2'), null)
  t.equal(made.names.nameOf('10.0.0.2'), null, 'at once')
})

t.test('the hosts file takes precedence, in both directions, and an edit takes effect at once', async (t) => {
  const made = await bench(t, {
    hosts: '# local\n10.0.0.1\tWeb.Example www # the first\n2001:DB8::1 six\n10.0.0.2 www\nnot an address\n',
  })
  made.server.pair('10.0.0.1', 'dns.example')
  t.equal(await proved(made, '10.0.0.1'), 'web.example')
  t.equal(await proved(made, '2001:db8:0::1'), 'six')
  t.same(await made.names.addressesOf('WWW'), ['10.0.0.1', '10.0.0.2'])
  t.same(made.server.questions, [])
  await made.hosts('10.0.0.1 other.example\n10.0.0.2 web.example\n')
  t.equal(await proved(made, '10.0.0.1'), 'other.example')
  t.equal(made.names.leadsTo('web.example', '10.0.0.1'), false)
  await made.hosts('')
  t.equal(await proved(made, '10.0.0.1'), 'dns.example')
})

t.test('a hosts file that cannot be read has no lines', async (t) => {
  const server = await NameServer.start(t)
  const names = new NameService({ servers: [server.address], hostsFile: '/nonexistent/hosts' }, new TurnClock(), t.fail)
  t.teardown(() => names.close())
  server.pair('10.0.0.1', 'x.example')
  t.equal(await names.nameOf('10.0.0.1'), 'x.example')
})

t.test('addresses of a name are those of both families; one that fails does not hide the other', async (t) => {
  const made = await bench(t)
  made.server.on('A both.example', { records: [{ type: 'A', value: '10.0.0.1' }] })
  made.server.on('AAAA both.example', { records: [{ type: 'AAAA', value: '2001:db8::1' }] })
  made.server.on('A half.example', { code: 'failure' })
  made.server.on('AAAA half.example', { records: [{ type: 'AAAA', value: '2001:db8::2' }] })
  t.same(await made.names.addressesOf('Both.Example.'), ['10.0.0.1', '2001:db8::1'])
  t.same(await made.names.addressesOf('half.example'), ['2001:db8::2'])
  t.same(await made.names.addressesOf('none.example'), [])
  t.same(await made.names.addressesOf('%{HTTP_HOST}'), [])
})

t.test('many addresses reach the limit of queries, which is logged once', async (t) => {
  const made = await bench(t)
  const silence = new Promise<void>(() => undefined)
  const addresses = Array.from({ length: 400 }, (_, index) => `10.1.${index >> 8}.${index & 255}`)
  for (const address of addresses) made.server.on(`PTR ${address}`, { after: silence })
  const answers = addresses.map((address) => made.names.nameOf(address))
  t.equal(answers.filter((answer) => answer instanceof Promise).length, 256)
  t.same(new Set(answers.slice(256)), new Set([null]))
  t.match(made.complaints, [/^256 name lookups are pending: the server treats further clients as having no name/])
})

t.test('at the end nothing is waited for', async (t) => {
  const made = await bench(t)
  made.server.on('PTR 10.0.0.1', { flaw: 'no-answer' })
  const name = made.names.nameOf('10.0.0.1')
  await made.server.asked('PTR 10.0.0.1')
  made.names.close()
  t.equal(await name, null)
})
