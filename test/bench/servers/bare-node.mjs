import { join } from 'node:path'

const PROGRAM = join(import.meta.dirname, 'bare-node-program.mjs')

/** Node's own TLS without rules, files and logs: what no server on Node can be faster than. For TLS alone. */
export const bareNode = {
  name: 'bare-node',
  isInstalled: () => true,
  version: () => `Node/${process.versions.node}`,
  command: ({ root }) => [process.execPath, PROGRAM, join(root, 'server.conf')],
  /** Undefined: what it is not there to answer. */
  configuration({ tls, ask }, { root, docs, port }) {
    if (tls === undefined) return undefined
    return JSON.stringify({ root, file: join(docs, ask.path), port, resumes: tls.resumes })
  },
}
