import { createSocket } from 'node:dgram'
import type { HostServices, ModuleLog } from '@gatewright/api'
import type { HeartbeatAddress } from '@gatewright/api/peers'
import { busyThreads, idleThreads, type ServerStatus } from '@gatewright/api/status'

/** Between two messages, in milliseconds. */
const INTERVAL = 1000

/** Sends what the server can serve, once a second. @returns the function that ends this */
export function sendHeartbeats(
  { host, port }: HeartbeatAddress,
  { status }: Pick<HostServices, 'status'>,
  log: ModuleLog,
): () => void {
  const socket = createSocket('udp4')
  let hasEnded = false
  const failed = (error: Error): void => log.write(null, 'warn', 'AH02099', 'Heartbeat: apr_socket_sendto failed', error)
  socket.on('error', (error) => log.write(null, 'warn', 'AH02097', 'Heartbeat: apr_socket_create failed', error))
  socket.bind(0, () => {
    try {
      socket.setMulticastLoopback(true)
    } catch (error) {
      if (error instanceof Error) log.write(null, 'warn', 'AH02098', 'Heartbeat: apr_mcast_loopback failed', error)
    }
  })
  const send = async (): Promise<void> => {
    try {
      const text = heartbeatText(await status())
      if (hasEnded) return
      socket.send(text, port, host, (error) => {
        if (error !== null && !hasEnded) failed(error)
      })
    } catch (error) {
      if (!hasEnded && error instanceof Error) failed(error)
    }
  }
  const timer = setInterval(() => void send(), INTERVAL)
  return () => {
    hasEnded = true
    clearInterval(timer)
    socket.close()
  }
}

/** The message of a server: the numbers of its free and busy slots, as mod_status counts them. */
export function heartbeatText(status: ServerStatus): string {
  let ready = 0
  let busy = 0
  for (const worker of status.workers) {
    ready += idleThreads(worker, status)
    busy += busyThreads(worker, status)
  }
  return `v=1&ready=${ready}&busy=${busy}`
}
