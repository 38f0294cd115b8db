import type { Socket } from 'node:net'

/**
 * Lets a socket be read after a write has failed. A backend that refuses an upload answers and closes without reading
 * the rest: the next write fails, but the response has arrived. Node would destroy the socket with the response unread.
 * Streams have an option for this (`autoDestroy`), which net.Socket does not pass on, so it is set where streams keep
 * it. A socket without such a place stays as it is.
 *
 * A stream with an error does not report the end of what it reads either, so its readable side forgets the error.
 */
export function surviveWriteError(socket: Socket): void {
  for (const name of ['_writableState', '_readableState']) {
    const state: unknown = Reflect.get(socket, name)
    if (typeof state === 'object' && state !== null && 'autoDestroy' in state) state.autoDestroy = false
  }
  socket.on('error', () => {
    const state: unknown = Reflect.get(socket, '_readableState')
    if (typeof state === 'object' && state !== null && 'errored' in state) state.errored = null
  })
}
