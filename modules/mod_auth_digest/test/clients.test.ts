import t from 'tap'
import { CLIENT_BYTES, Clients, isOpaque } from '../src/clients.ts'

t.test('a client is found by its opaque value, which cannot be guessed', async (t) => {
  const clients = new Clients()
  const names = Array.from({ length: 100 }, () => clients.add().opaque)
  t.equal(new Set(names).size, 100)
  for (const name of names) {
    t.match(name, /^[1-9a-f][0-9a-f]{15}$/)
    t.ok(isOpaque(name))
    t.equal(clients.find(name)?.opaque, name)
  }
  t.equal(new Clients().find(names[0]), undefined, 'another process does not know it')
})

t.test('at the limit, the client whose last request is the oldest is removed', async (t) => {
  const clients = new Clients()
  const [first, second, third] = Array.from({ length: 1000 }, () => clients.add().opaque)
  t.equal(clients.size, 1000)
  clients.find(first)
  clients.add()
  t.equal(clients.size, 1000)
  t.ok(clients.find(first))
  t.notOk(clients.find(second))
  t.ok(clients.find(third))
})

t.test('AuthDigestShmemSize sets the number of clients, between a thousand and a million', async (t) => {
  const clients = new Clients()
  clients.resize(1500 * CLIENT_BYTES)
  for (let count = 0; count < 2000; count++) clients.add()
  t.equal(clients.size, 1500)
  clients.resize(CLIENT_BYTES)
  clients.add()
  t.equal(clients.size, 1000, 'those that are too many go')
})

t.test('opaque values are hexadecimal, without leading zeros', async (t) => {
  for (const name of ['1', 'a', 'FF', '1'.repeat(16)]) t.ok(isOpaque(name), name)
  for (const name of ['', '0', '00', '01', '0x1', '1z', '-1', ' 1', '1 ', '1'.repeat(17)]) t.notOk(isOpaque(name), name)
})
