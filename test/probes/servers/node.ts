import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Contestant } from './contestant.ts'

/** Node's own server with minimal code for sending a file, to test its own behaviour. */
export const node: Contestant = {
  name: 'node',
  lacks: ['validators', 'ranges', 'hosts', 'login', 'redirect'],
  isInstalled: () => true,
  start: async ({ docs }) => {
    const server = createServer((request, response) => {
      answer(docs, request, response).catch(() => response.destroy())
    })
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    return {
      port: address.port,
      stop: () =>
        new Promise((resolve) => {
          server.close(() => resolve())
          server.closeAllConnections()
        }),
    }
  },
}

async function answer(docs: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!['GET', 'HEAD', 'POST'].includes(request.method ?? '')) {
    response.writeHead(405, { Allow: 'GET, HEAD, POST', 'Content-Length': 0 }).end()
    return
  }
  const { pathname } = new URL(request.url ?? '', 'http://localhost')
  if (pathname === '/nothing') {
    response.writeHead(204).end()
    return
  }
  request.resume()
  const content = await readFile(join(docs, decodeURIComponent(pathname))).catch(() => null)
  if (content === null) response.writeHead(404, { 'Content-Length': 0 }).end()
  else response.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Length': content.length }).end(content)
}
