/** The channel of a role to the process that started it. */
export interface ParentChannel<M> {
  send(message: M): void
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
    sendLast: (message, status) => {
      if (process.connected) send(message, undefined, undefined, () => process.exit(status))
      else process.exit(status)
    },
  }
}

function ignore(): void {}
