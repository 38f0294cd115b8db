import { type NativeHandle, sendHandle } from './native-handle.ts'

/** The channel of a role to the process that started it. */
export interface ParentChannel<M> {
  send(message: M): void
  /** Sends a message with a handle. @param done called when it was passed to the system, or cannot be */
  sendHandle(message: M, handle: NativeHandle, done: () => void): void
  /** Sends the last message and ends the process when the message has been sent. */
  sendLast(message: M, status: number): void
}

/**
 * The channel with which this process was started. It is removed from `process`, so that code of modules does
 * not find it.
 */
export function parentChannel<M extends object>(): ParentChannel<M> {
  const send = process.send?.bind(process)
  if (send === undefined) throw new Error('this process was started without a channel to its parent')
  process.send = undefined
  return {
    send: (message) => {
      if (process.connected) send(message, undefined, undefined, ignore)
    },
    sendHandle: (message, handle, done) => {
      if (process.connected) sendHandle(send, message, handle, done)
      else done()
    },
    sendLast: (message, status) => {
      if (process.connected) send(message, undefined, undefined, () => process.exit(status))
      else process.exit(status)
    },
  }
}

function ignore(): void {}
