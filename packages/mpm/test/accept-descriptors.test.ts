import t from 'tap'
import { acceptDescriptors } from '../src/sockets/accept-descriptors.ts'

t.test('each socket is inherited several times, in rounds of all of them', async (t) => {
  t.strictSame(acceptDescriptors([7, 9]), [7, 9, 7, 9, 7, 9, 7, 9])
})

t.test('a server with many addresses inherits each socket once', async (t) => {
  const sockets = Array.from({ length: 70 }, (_, index) => 10 + index)
  t.strictSame(acceptDescriptors(sockets), sockets)
})
