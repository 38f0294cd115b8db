import { createSocket, type RemoteInfo } from 'node:dgram'
import type { ModuleLog } from '@gatewright/api'
import { type HeartbeatAddress, heartbeatFields } from '@gatewright/api/peers'
import { leadingInteger } from '@gatewright/api/text'
import { type HeardServers, unsigned } from './heard-servers.ts'

/** Between two writings of the file, in milliseconds. */
const INTERVAL = 5000
/** What a message has beyond this length, in bytes, is not read. */
const LONGEST_MESSAGE = 1000

/** Listens for messages to a multicast group. @returns the function that ends this */
export function listen({ host, port }: HeartbeatAddress, heard: HeardServers, log: ModuleLog): () => void {
  const socket = createSocket({ type: 'udp4', reuseAddr: true })
  let timer: NodeJS.Timeout | null = null
  let isOpen = true
  const end = (): void => {
    if (timer !== null) clearInterval(timer)
    timer = null
    if (isOpen) socket.close()
    isOpen = false
  }
  const fail = (code: string, text: string, error: unknown): void => {
    const cause = error instanceof Error ? error : undefined
    log.write(null, 'crit', code, text, cause)
    log.write(null, 'crit', 'AH02090', 'Unable to listen for connections!', cause)
    end()
  }
  socket.on('error', (error) => {
    if (timer !== null) log.write(null, 'crit', 'AH02089', 'recvfrom failed', error)
    else fail('AH02071', 'Failed to bind on socket.', error)
  })
  socket.on('message', (message, from) => take(message, from, heard, log))
  // Processes do not share this socket.
  socket.bind({ address: host, port, exclusive: true }, () => {
    try {
      socket.addMembership(host)
    } catch (error) {
      return fail('AH02072', 'Failed to join multicast group', error)
    }
    socket.setMulticastLoopback(true)
    log.write(null, 'debug', 'AH02091', '_heartmonitor_ listener started.')
    timer = setInterval(() => void heard.keep(), INTERVAL)
    void heard.keep()
  })
  return () => {
    if (timer !== null) log.write(null, 'debug', 'AH02092', 'stopping _heartmonitor_ listener.')
    end()
  }
}

function take(message: Buffer, { address, port }: RemoteInfo, heard: HeardServers, log: ModuleLog): void {
  const fields = heartbeatFields(message.toString('latin1', 0, LONGEST_MESSAGE))
  const ready = fields.get('ready')
  const busy = fields.get('busy')
  if (!fields.has('v') || ready === undefined || busy === undefined) {
    log.write(null, 'crit', 'AH02087', `malformed message from ${address}:${port}`)
    return
  }
  if (log.enabled(null, 'debug')) log.write(null, 'debug', 'AH02086', `${address}:${port} busy=${busy} ready=${ready}`)
  const named = leadingInteger(fields.get('port') ?? '0')
  const itsPort = named > 0 && named < 65_536 ? named : null
  void heard.hear({ address, ready: unsigned(leadingInteger(ready)), busy: unsigned(leadingInteger(busy)), port: itsPort }, false)
}
