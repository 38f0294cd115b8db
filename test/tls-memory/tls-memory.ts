/**
 * npm run tls-memory [-- --connections 1000]: the memory of an idle connection with TLS in this server, in a server of Node
 * alone, and in nginx if it is installed: what so many further connections need, divided by their number. The first ones, which
 * remain open, do not count: with them, an engine compiles, and enlarges what it takes garbage from.
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
    const first = await idleConnections(port, hasTls, count)
    const before = await idleMemory(pid)
    const sockets = [...first, ...(await idleConnections(port, hasTls, count))]
    const after = await idleMemory(pid)
    const open = sockets.filter(({ destroyed }) => !destroyed).length
    for (const socket of sockets) socket.destroy()
    if (open < 2 * count) throw new Error(`${name} has closed ${2 * count - open} connections`)
    console.log(`${name.padEnd(22)} ${((after - before) / count).toFixed(1)} KiB a connection`)
  }
} finally {
  for (const end of ends.reverse()) await end()
}
