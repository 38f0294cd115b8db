import { join } from 'node:path'

const PROGRAM = join(import.meta.dirname, 'bare-node-program.mjs')

/** Node's own sockets without rules, files and logs: what no server on Node can be faster than. */
export const bareNode = bare('bare-node', 'server')

/** Other ways to use them, for those who ask whether one of them is faster. */
export const bareVariants = [
  // What this server does: a TLSSocket over each socket, and one buffer for reading all of them.
  bare('bare-node-shared', 'shared'),
  // Past the streams: the socket's handle writes.
  bare('bare-node-direct', 'direct'),
]

/** @param {'server' | 'shared' | 'direct'} form */
function bare(name, form) {
  return {
    name,
    isInstalled: () => true,
    version: () => `Node/${process.versions.node}`,
    command: ({ root }) => [process.execPath, PROGRAM, join(root, 'server.conf')],
    /** Undefined: what it is not there to answer. */
    configuration({ isBare = false, tls, ask }, { root, docs, port }) {
      if (!isBare) return undefined
      return JSON.stringify({ form, root, file: join(docs, ask.path), port, tls, isRefused: ask.status === 403 })
    },
  }
}
