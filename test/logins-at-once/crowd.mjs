// The clients of logins-at-once, in a process of their own: opens a connection for each of the requests that it is sent, sends all
// requests at once when it is asked to, and reports how many responses have each status.
import { once } from 'node:events'
import { connect } from 'node:net'

process.once('message', async ({ port, requests }) => {
  const sockets = []
  // In small groups: the queue of new connections is short.
  for (let at = 0; at < requests.length; at += 50)
    sockets.push(...(await Promise.all(requests.slice(at, at + 50).map(() => opened(port)))))
  process.send('open')
  await once(process, 'message')
  const statuses = await Promise.all(sockets.map((socket, index) => statusOf(socket, requests[index])))
  const counts = {}
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1
  process.send(counts)
  process.disconnect()
})

async function opened(port) {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

function statusOf(socket, request) {
  return new Promise((resolve) => {
    let text = ''
    socket.on('data', (bytes) => (text += bytes.toString('latin1')))
    socket.on('close', () => resolve(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 'none'))
    socket.on('error', () => {})
    socket.write(request, 'latin1')
  })
}
