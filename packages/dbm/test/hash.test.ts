import t from 'tap'
import { berkeleyHash } from '../src/berkeley/hash.ts'
import { gdbmHash } from '../src/gdbm/hash.ts'
import { sdbmHash } from '../src/sdbm/hash.ts'
import { bytes } from './support/dataset.ts'

t.test('SDBM hashes signed bytes; the low 32 bits of the long are enough', async (t) => {
  t.equal(sdbmHash(bytes('bob')) >>> 0, 0x30b10b15)
  t.equal(sdbmHash(bytes('alice')) >>> 0, 0x918784a0)
  t.equal(sdbmHash(bytes('user0001')) >>> 0, 0xc358c3e248c % 2 ** 32)
  t.equal(sdbmHash(bytes('\xc3\xa9')) >>> 0, 0xffc2f0a6)
  t.equal(sdbmHash(bytes('')), 0)
})

t.test('GDBM hashes signed bytes into 31 bits', async (t) => {
  t.equal(gdbmHash(bytes('bob')), 1290911294)
  t.equal(gdbmHash(bytes('alice')), 2026853373)
  t.equal(gdbmHash(bytes('user0001')), 0x442fca88)
  t.equal(gdbmHash(bytes('\xc3\xa9')), 0x4177cd64)
})

t.test('Berkeley DB hashes unsigned bytes, and every file holds the hash of one fixed text', async (t) => {
  t.equal(berkeleyHash(bytes('%$sniglet^&\0')), 0x5e688dd1)
  t.equal(berkeleyHash(bytes('')), 0)
})
