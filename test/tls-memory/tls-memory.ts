/**
 * npm run tls-memory [-- --connections 1000]: the memory of an idle connection with TLS in this server, in a server of Node
 * alone, and in nginx if it is installed: the difference between many connections and none, divided by their number.
 */
import { parseArgs } from 'node:util'
import { idleConnections } from './connections.ts'
import { startContestants } from './contestants.ts'
import { idleMemory } from './memory-of.ts'

const { values } = parseArgs({ options: { connections: { type: 'string', default: '1000' } } })
const count = Number(values.connections)
if (!Number.isInteger(count) || count < 1) throw new Error('--connections is a number from 1')

const ends: (() => Promise<void>)[] = []
try {
  for (const { name, pid, port, hasTls } of await startContestants({ teardown: (end) => void ends.push(end) })) {
    // The first connections make what all others share.
    for (const socket of await idleConnections(port, hasTls, 50)) socket.destroy()
    const before = await idleMemory(pid)
    const sockets = await idleConnections(port, hasTls, count)
    const after = await idleMemory(pid)
    const open = sockets.filter(({ destroyed }) => !destroyed).length
    for (const socket of sockets) socket.destroy()
    if (open < count) throw new Error(`${name} has closed ${count - open} connections`)
    console.log(`${name.padEnd(22)} ${((after - before) / count).toFixed(1)} KiB a connection`)
  }
} finally {
  for (const end of ends.reverse()) await end()
}
