import { writeSync } from 'node:fs'

/** The output of apxs. Answers to queries go to standard output, everything else to standard error. */
export interface ApxsConsole {
  out(line: string): void
  err(line: string): void
}

export const PROCESS_CONSOLE: ApxsConsole = Object.freeze({
  out: (line: string) => write(1, line),
  err: (line: string) => write(2, line),
})

function write(descriptor: number, line: string): void {
  let bytes: Buffer = Buffer.from(`${line}\n`)
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(descriptor, bytes))
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return
    }
  }
}
