import t from 'tap'
import { LogIds } from '../src/base/log-ids.ts'

t.test('an id is eleven characters that are base64 of eight bytes, the process and a count among them', async (t) => {
  const ids = new LogIds()
  const [first, second] = [ids.next(Date.now()).text, ids.next(Date.now()).text]
  for (const id of [first, second]) {
    t.match(id, /^[A-Za-z0-9+/]{11}$/)
    const bytes = Buffer.from(`${id}=`, 'base64')
    t.equal(bytes.length, 8)
    t.equal(bytes.readUInt16BE(4), process.pid & 0xffff)
  }
  t.equal(Buffer.from(`${second}=`, 'base64').readUInt16BE(6) - Buffer.from(`${first}=`, 'base64').readUInt16BE(6), 1)
})

t.test('no two ids of a process are the same, however fast they are made', async (t) => {
  const ids = new LogIds()
  const made = Array.from({ length: 50_000 }, () => ids.next(Date.now()).text)
  t.equal(new Set(made).size, made.length)
})
