import { createServer } from 'node:net'

/**
 * A port of this machine that no program uses now. Another program may take it before it is used.
 * @throws the system's error if none is free
 */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
