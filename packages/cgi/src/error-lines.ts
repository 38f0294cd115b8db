import type { ModuleLog, Request } from '@gatewright/api'
import { PlainExchange, type UpstreamConnection } from '@gatewright/upstream'

/** The longest line, as in httpd. */
const LINE_MAX = 8191
/** Characters that are kept for the log of scripts. */
const KEPT = 64 * 1024

/** What a script writes to its standard error. */
export interface ErrorLines {
  /** What was logged, with line ends. */
  readonly text: string
  /** Settles when no more is to come, or after that many ms. */
  end(limit: number): Promise<void>
  /** Nobody waits for more. What comes is still logged. */
  leave(): void
}

const NONE: ErrorLines = { text: '', end: () => Promise.resolve(), leave: () => {} }

/** Logs each line with the client. @param connection null if the errors go elsewhere */
export function readErrors(connection: UpstreamConnection | null, request: Request, log: ModuleLog): ErrorLines {
  if (connection === null) return NONE
  let line = ''
  let text = ''
  const ended = Promise.withResolvers<void>()
  const write = (part: string): void => {
    const shown = part.replace(/\r?\n?$/, '')
    if (text.length < KEPT) text += `${shown}\n`
    if (shown !== '') log.write(request, 'error', 'AH01215', `stderr from ${request.filename}: ${shown}`)
  }
  const over = (): void => {
    if (line !== '') write(line)
    line = ''
    ended.resolve()
  }
  new PlainExchange(connection, 0, {
    onData: (bytes) => {
      line += bytes.toString('latin1')
      for (let end = line.indexOf('\n'); end >= 0 || line.length >= LINE_MAX; end = line.indexOf('\n')) {
        const stop = end < 0 || end >= LINE_MAX ? LINE_MAX : end + 1
        write(line.slice(0, stop))
        line = line.slice(stop)
      }
    },
    onEnd: over,
    onError: over,
  })
  return {
    get text() {
      return text
    },
    end: async (limit) => {
      let timer: NodeJS.Timeout | undefined
      await Promise.race([
        ended.promise,
        new Promise<void>((resolve) => {
          timer = setTimeout(resolve, limit)
        }),
      ])
      clearTimeout(timer)
    },
    leave: () => {},
  }
}
