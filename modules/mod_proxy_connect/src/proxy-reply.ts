import type { UpstreamConnection } from '@gatewright/upstream'

/** In bytes: the reply of another proxy has a few fields. */
const LONGEST_HEAD = 8192
const HEAD_END = '\r\n\r\n'

/** What another proxy replied to CONNECT. */
export interface ProxyReply {
  readonly status: number
  /** The head with its empty line, a byte string. */
  readonly head: string
  /** What came after it. */
  readonly rest: Buffer
}

/**
 * Reads the head of what another proxy replies to CONNECT. Nothing is read after it: the connection is paused.
 * @param idle the longest silence, in milliseconds; 0 for no limit
 * @returns what is wrong with the reply, if it is none
 */
export function proxyReply(connection: UpstreamConnection, idle: number): Promise<ProxyReply | string> {
  return new Promise((resolve) => {
    let received: Buffer = Buffer.alloc(0)
    const end = (outcome: ProxyReply | string): void => {
      clearTimeout(timer)
      connection.sink = null
      connection.pause()
      resolve(outcome)
    }
    const timer = idle > 0 ? setTimeout(() => end('it is silent'), idle) : undefined
    connection.sink = {
      onBytes: (bytes, count) => {
        received = Buffer.concat([received, bytes.subarray(0, count)])
        const reply = replyIn(received)
        if (reply !== null) end(reply)
      },
      onEnd: () => end('it has ended the connection'),
      onDrain: () => {},
      onClose: () => end('it has closed the connection'),
    }
    connection.resume()
  })
}

/** @returns null if the head is not complete */
function replyIn(received: Buffer): ProxyReply | string | null {
  const at = received.indexOf(HEAD_END)
  if (at < 0) return received.length > LONGEST_HEAD ? 'its head is too long' : null
  const end = at + HEAD_END.length
  if (end > LONGEST_HEAD) return 'its head is too long'
  const head = received.toString('latin1', 0, end)
  const [, status] = /^HTTP\/1\.[01] ([2-5]\d\d)[ \r]/.exec(head) ?? []
  return status === undefined ? 'it is no response of HTTP/1' : { status: Number(status), head, rest: received.subarray(end) }
}

/** The values of a field of a head. */
export function fieldsOf({ head }: ProxyReply, name: string): readonly string[] {
  const prefix = `${name.toLowerCase()}:`
  return head
    .split('\r\n')
    .filter((line) => line.toLowerCase().startsWith(prefix))
    .map((line) => line.slice(prefix.length).trim())
}
