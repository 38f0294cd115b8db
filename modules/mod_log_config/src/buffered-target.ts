import type { LogTarget } from '@gatewright/api'

/** httpd's PIPE_BUF: what a pipe takes in one piece. */
const CAPACITY = 4096

/** A target that collects lines. */
export interface BufferedTarget extends LogTarget {
  readonly flush: () => void
}

/** Collects lines up to 4096 bytes and writes them together when the next one would not fit; a line that is longer goes alone. */
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
