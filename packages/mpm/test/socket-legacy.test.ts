import t from 'tap'
import { type BoundSocket, bindSocket } from '../src/sockets/bind-socket.ts'
import { ListenSockets } from '../src/sockets/listen-sockets.ts'
import { freePort } from './fixtures/trial.ts'

/** The sockets that a successor inherits: the same sockets under other numbers. */
function inherited(sockets: ListenSockets): {
  readonly heir: ListenSockets
  readonly own: (fd: number) => number
  readonly closed: number[]
} {
  const { inventory, descriptors } = sockets.legacy()
  t.equal(new Set(descriptors).size, descriptors.length, 'each descriptor is given once')
  const closed: number[] = []
  const adopted = descriptors.map((_, place): BoundSocket => ({ fd: 1000 + place, close: () => closed.push(1000 + place) }))
  const heir = ListenSockets.inherited(JSON.parse(JSON.stringify(inventory)), adopted)
  return { heir, own: (fd) => 1000 + descriptors.indexOf(fd), closed }
}

t.test('a successor gives its workers the sockets that the former workers had', async (t) => {
  const [one, other] = [
    { address: '127.0.0.1', port: await freePort() },
    { address: '*', port: await freePort() },
  ]
  const sockets = new ListenSockets([])
  t.teardown(() => sockets.closeAll())
  t.strictSame(sockets.open([one, other], 3), [])
  const { heir, own, closed } = inherited(sockets)
  t.equal(heir.perAddress, 3)
  t.strictSame(heir.open([one, other], 3), [], 'nothing is bound anew')
  for (const slot of [0, 1, 2])
    t.strictSame(heir.descriptors(slot, 3, 3, [one, other]), sockets.descriptors(slot, 3, 3, [one, other]).map(own))
  heir.keepOnly([one], 3)
  t.equal(closed.length, 3, 'and closes those of an address that it does not want')
})

t.test('a socket that a service manager bound stays one for all workers, also for a successor', async (t) => {
  const address = { address: '127.0.0.1', port: await freePort() }
  const bound = bindSocket(address, 'alone')
  if ('errno' in bound) throw new Error(`errno ${bound.errno}`)
  const sockets = new ListenSockets([{ ...address, socket: bound.socket }])
  t.teardown(() => sockets.closeAll())
  sockets.open([address], 2)
  const { heir } = inherited(sockets)
  t.strictSame(heir.descriptors(0, 2, 2, [address]), [1000])
  t.strictSame(heir.descriptors(1, 2, 2, [address]), [1000])
  t.strictSame(heir.open([address], 4), [], 'more workers share it, too')
  t.strictSame(heir.descriptors(3, 4, 4, [address]), [1000])
})
