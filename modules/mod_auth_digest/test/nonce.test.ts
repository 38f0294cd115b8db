import t from 'tap'
import { isNonce, Nonces } from '../src/nonce.ts'
import { NonceKeys } from '../src/nonce-keys.ts'

const nonces = new Nonces(new NonceKeys(Buffer.alloc(32, 1)))
const NOW = 1_795_270_000_123_456

t.test('the time of a nonce can be read with the realm and opaque value it was made for', async (t) => {
  for (const moment of [1, 42, 2 ** 32 - 1, 2 ** 32, NOW]) {
    for (const opaque of [null, '1f']) {
      const nonce = nonces.make(moment, 'R', opaque)
      t.match(nonce, /^[A-Za-z0-9+/]{11}=[0-9a-f]{40}$/)
      t.ok(isNonce(nonce))
      t.equal(nonces.momentOf(nonce, 'R', opaque), moment)
      t.equal(nonces.momentOf(nonce, 'r', opaque), undefined)
      t.equal(nonces.momentOf(nonce, 'R', '1e'), undefined)
    }
  }
})

t.test('its time is encoded as in httpd', async (t) => {
  t.equal(nonces.make(1, 'R', null).slice(0, 12), 'AQAAAAAAAAA=')
  t.equal(nonces.make(0x01020304, 'R', null).slice(0, 12), 'BAMCAQAAAAA=')
})

t.test('a nonce with one changed character is not accepted', async (t) => {
  const nonce = nonces.make(NOW, 'R', null)
  for (let at = 0; at < nonce.length; at++) {
    for (const other of ['0', 'A', 'f', '=']) {
      if (nonce[at] === other) continue
      const changed = nonce.slice(0, at) + other + nonce.slice(at + 1)
      t.equal(nonces.momentOf(changed, 'R', null), undefined, changed)
    }
  }
  t.equal(nonces.momentOf(nonce.slice(0, 12) + nonce.slice(12).toUpperCase(), 'R', null), undefined)
  t.equal(nonces.momentOf('', 'R', null), undefined)
})

t.test('only servers with the same key make the same nonces', async (t) => {
  const nonce = nonces.make(NOW, 'R', null)
  t.equal(new Nonces(new NonceKeys(Buffer.alloc(32, 1))).momentOf(nonce, 'R', null), NOW)
  t.equal(new Nonces(new NonceKeys(Buffer.alloc(32, 2))).momentOf(nonce, 'R', null), undefined)
})

t.test('realm and opaque value cannot be shifted into each other', async (t) => {
  t.equal(nonces.momentOf(nonces.make(NOW, 'aR', null), 'R', 'a'), undefined)
  t.equal(nonces.momentOf(nonces.make(NOW, 'R', 'a'), 'aR', null), undefined)
})
