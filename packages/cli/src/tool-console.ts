import { readSync, writeSync } from 'node:fs'
import { askPassword } from './password/ask-password.ts'

/** The environment of a tool. All text is bytes, one character each. */
export interface ToolConsole {
  /** Standard output. */
  out(text: string): void
  /** Standard error. */
  err(text: string): void
  /** Up to this many bytes of standard input, fewer at its end. */
  readInput(most: number): Buffer
  /** See {@link askPassword}. */
  ask(prompt: string): Promise<string>
}

/** The console of this process. */
export const PROCESS_CONSOLE: ToolConsole = Object.freeze({
  out: (text: string) => write(1, text),
  err: (text: string) => write(2, text),
  readInput: (most: number) => readUpTo(0, most),
  ask: askPassword,
})

function write(descriptor: number, text: string): void {
  for (let rest = Buffer.from(text, 'latin1'); rest.length > 0; ) {
    const count = unlessBusy(() => writeSync(descriptor, rest))
    rest = rest.subarray(count)
  }
}

/** Up to this many bytes of a file, fewer at its end. */
export function readUpTo(descriptor: number, most: number): Buffer {
  const bytes = Buffer.alloc(most)
  let filled = 0
  while (filled < most) {
    const count = unlessBusy(() => readSync(descriptor, bytes, filled, most - filled, null))
    if (count === 0) break
    filled += count
  }
  return bytes.subarray(0, filled)
}

/** Retries a call on a pipe or terminal that another process has made non-blocking. */
function unlessBusy(call: () => number): number {
  for (;;) {
    try {
      return call()
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  }
}
