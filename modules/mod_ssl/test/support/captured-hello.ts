import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { type ConnectionOptions, connect } from 'node:tls'

/** Whether a program can be run. */
export function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version']).error === undefined
}

/** The first bytes that a program sends to a server. @param words of the command line, where PORT stands for the server's port */
export function helloOf(program: string, ...words: string[]): Promise<Buffer> {
  return captured(async (port) => {
    const child = spawn(
      program,
      words.map((word) => word.replace('PORT', String(port))),
      { stdio: ['pipe', 'ignore', 'ignore'] },
    )
    await once(child, 'close')
  })
}

/** The first bytes that Node sends. */
export function helloOfNode(options: ConnectionOptions): Promise<Buffer> {
  return captured(async (port) => {
    const socket = connect({ ...options, port, host: '127.0.0.1', rejectUnauthorized: false })
    socket.on('error', () => {})
    await new Promise((resolve) => socket.once('close', resolve))
  })
}

/** The bytes that arrive before the client has been silent for a moment. */
async function captured(use: (port: number) => Promise<void>): Promise<Buffer> {
  const pieces: Buffer[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (piece) => {
      pieces.push(Buffer.from(piece))
      if (isWholeRecord(Buffer.concat(pieces))) socket.destroy()
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  try {
    await use(address.port)
  } finally {
    server.close()
  }
  return Buffer.concat(pieces)
}

function isWholeRecord(bytes: Buffer): boolean {
  return bytes.length >= 5 && bytes.length >= 5 + bytes.readUInt16BE(3)
}
