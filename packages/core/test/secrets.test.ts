import { defineModule } from '@gatewright/api'
import { createServer } from '@gatewright/core'
import t from 'tap'
import { Secrets } from '../src/services/secrets.ts'

const KEY = Buffer.alloc(32, 7)

t.test('a secret is the same wherever the key is, and another for each name', async (t) => {
  const secret = new Secrets(KEY).of('mod_one.c')
  t.equal(secret.length, 32)
  t.same(new Secrets(Buffer.from(KEY)).of('mod_one.c'), secret)
  t.notSame(new Secrets(KEY).of('mod_two.c'), secret)
  t.notSame(new Secrets(Buffer.alloc(32, 8)).of('mod_one.c'), secret)
  t.notSame(secret, KEY)
})

t.test('a key that is too short to be secret is refused', async (t) => {
  t.throws(() => new Secrets(KEY.subarray(1)), RangeError)
})

t.test('a server of one process has separate secrets', async (t) => {
  const seen: string[] = []
  const witness = defineModule({
    name: 'witness_module',
    source: 'mod_witness.c',
    register({ services, hooks }) {
      const hex = (name: string): string => Buffer.from(services.secret(name)).toString('hex')
      seen.push(hex('mod_witness.c'))
      hooks.postConfig.add(() => {
        seen.push(hex('mod_witness.c'))
        return undefined
      })
    },
  })
  for (let servers = 0; servers < 2; servers++) {
    const server = await createServer({ config: 'ServerName localhost\n', modules: [witness] })
    await server.close()
  }
  t.equal(seen.length, 4)
  t.equal(seen[0], seen[1], 'it does not change while the server runs')
  t.equal(seen[2], seen[3])
  t.not(seen[0], seen[2], 'another server has another')
})
