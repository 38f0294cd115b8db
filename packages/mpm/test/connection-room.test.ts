import { Socket } from 'node:net'
import t from 'tap'
import { acceptWithin, connectionRoom } from '../src/worker/connection-room.ts'

t.test('an eighth of the descriptors is kept for files, and never more than a thousand', async (t) => {
  t.equal(connectionRoom(1024, 40), 1024 - 40 - 128)
  t.equal(connectionRoom(65_536, 40), 65_536 - 40 - 1024)
  t.equal(connectionRoom(Number.POSITIVE_INFINITY, 40), Number.POSITIVE_INFINITY)
  t.equal(connectionRoom(undefined, 40), Number.POSITIVE_INFINITY)
  t.equal(connectionRoom(32, 40), 1, 'a server that can hardly live serves one after the other')
})

t.test('connections beyond the room are closed, with one line until there has been room again', async (t) => {
  let open = 0
  const lines: string[] = []
  const accept = acceptWithin(
    10,
    () => open,
    () => open++,
    (text) => lines.push(text),
  )
  const arrive = (count: number): boolean[] =>
    Array.from({ length: count }, () => {
      const socket = new Socket()
      accept(socket, null)
      return !socket.destroyed
    })
  t.strictSame(arrive(12), [...Array(10).fill(true), false, false])
  t.match(lines, [/^10 connections are open.* raise the limit/])
  open = 9
  t.strictSame(arrive(2), [true, false])
  t.equal(lines.length, 1, 'the room was never free')
  open = 5
  arrive(7)
  t.equal(lines.length, 2)
})
