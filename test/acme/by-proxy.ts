import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { isMalformed, mustStaple, parseCertificate } from '@gatewright/x509'
import type { Owner } from '../fixtures/staged-server.ts'
import { AcmeSite } from './acme-site.ts'
import { givesAdvice } from './renewal-info.ts'

/**
 * The CA is reached through a proxy (MDHttpProxy), the certificate demands stapling (MDMustStaple), and it is served when
 * MDActivationDelay is over.
 */
export async function byProxyWithDelay(t: Owner): Promise<void> {
  const tunnels: string[] = []
  const proxy = await startProxy(t, tunnels)
  // Older versions of pebble leave the demand out of certificates.
  const demandsStapling = givesAdvice()
  const site = await AcmeSite.make(t, {
    domains: ['delayed.example.org'],
    ports: 'http',
    lines: [
      `MDHttpProxy http://127.0.0.1:${proxy}/`,
      `MDMustStaple ${demandsStapling ? 'on' : 'off'}`,
      'MDActivationDelay 3s',
      'MDCheckInterval 1s',
    ],
  })
  await site.server.start()
  const job = join(site.store, 'staging/delayed.example.org/job.json')
  await site.until('the certificate is obtained', () => /"finished": true/.test(textOf(job)))
  const readyAt = Date.parse(/"valid-from": "([^"]*)"/.exec(textOf(job))?.[1] ?? '')
  const { certificate } = await site.certified()
  assert.ok(Date.now() >= readyAt, 'not before the delay is over')
  const parsed = parseCertificate(certificate.raw)
  assert.equal(!isMalformed(parsed) && mustStaple(parsed), demandsStapling)
  assert.ok(tunnels.length > 0)
  assert.deepEqual([...new Set(tunnels)], [`localhost:${site.pebble.port}`], 'the CA, and nothing else')
}

/** A proxy that opens tunnels. @returns its port */
function startProxy(t: Owner, tunnels: string[]): Promise<number> {
  const server: Server = createServer((_request, response) => void response.writeHead(403).end())
  const sockets = new Set<Duplex>()
  server.on('connect', ({ url = '' }, client) => {
    tunnels.push(url)
    const [host, port] = url.split(':')
    const upstream = connect({ host, port: Number(port) }, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      upstream.pipe(client).pipe(upstream)
    })
    for (const side of [upstream, client]) {
      sockets.add(side)
      side.on('error', () => side.destroy())
      side.on('close', () => [upstream, client].map((one) => one.destroy()))
    }
  })
  t.teardown(async () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return new Promise((resolve, reject) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (address === null || typeof address === 'string') reject(new Error('the proxy has no port'))
      else resolve(address.port)
    })
  })
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
