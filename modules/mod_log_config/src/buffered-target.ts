import type { LogTarget } from '@gatewright/api'

/** httpd's PIPE_BUF: the number of bytes that a pipe accepts atomically. */
const CAPACITY = 4096

/** A log target that buffers lines. */
export interface BufferedTarget extends LogTarget {
  readonly flush: () => void
}

/**
 * Buffers up to 4096 bytes and writes them together when the next line does not fit. A longer line is written
 * by itself.
 */
export function bufferedTarget(target: LogTarget): BufferedTarget {
  let pending = ''
  const flush = (): void => {
    if (pending === '') return
    const text = pending
    pending = ''
    target.write(text)
  }
  return {
    flush,
    write(line) {
      if (pending.length + line.length > CAPACITY) flush()
      if (line.length >= CAPACITY) target.write(line)
      else pending += line
    },
  }
}
