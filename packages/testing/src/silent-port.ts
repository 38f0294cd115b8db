import { createServer, type Socket } from 'node:net'

/** A port of 127.0.0.1 that accepts connections and never answers. They are closed in the teardown of the test. */
export async function silentPort(t: { teardown(act: () => void): void }): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    // Without this, the end of the client's side would not be noticed.
    socket
      .on('error', () => undefined)
      .on('close', () => sockets.delete(socket))
      .resume()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
