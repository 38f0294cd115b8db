import { readSync } from 'node:fs'
import type { ReadStream } from 'node:tty'

const INTERRUPT = 0x03
const END = 0x04
const BACKSPACES: readonly number[] = [0x08, 0x7f]
const ERASE_LINE = 0x15
const LINE_ENDS: readonly number[] = [0x0a, 0x0d]

/**
 * Asks for a password on standard error. From a terminal it is read without echo; otherwise it is the next line of standard input. The end
 * of the input ends the line.
 * @returns bytes, one character each
 * @throws PasswordInterrupted at an interrupt key
 */
export async function askPassword(prompt: string): Promise<string> {
  const bytes = process.stdin.isTTY ? await typedLine(process.stdin, prompt) : lineAfter(prompt)
  return Buffer.from(bytes).toString('latin1')
}

/** Somebody would rather stop than answer. */
export class PasswordInterrupted extends Error {
  constructor() {
    super('interrupted')
    this.name = 'PasswordInterrupted'
  }
}

/** Byte by byte: what follows the line belongs to the next question. */
function lineAfter(prompt: string): number[] {
  process.stderr.write(prompt)
  const line: number[] = []
  const byte = Buffer.alloc(1)
  while (readByte(byte) && byte[0] !== 0x0a) line.push(byte[0])
  return line
}

function readByte(byte: Buffer): boolean {
  for (;;) {
    try {
      return readSync(0, byte, 0, 1, null) === 1
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  }
}

/** The terminal shows nothing in raw mode, and leaves the editing keys to us. */
function typedLine(terminal: ReadStream, prompt: string): Promise<number[]> {
  terminal.setRawMode(true)
  // Not before the echo is off: who sees the question may answer at once.
  process.stderr.write(prompt)
  return new Promise((resolve, reject) => {
    let line: number[] = []
    const end = (rest: Buffer): void => {
      terminal.off('data', take)
      terminal.setRawMode(false)
      terminal.pause()
      if (rest.length > 0) terminal.unshift(rest)
      process.stderr.write('\n')
    }
    const take = (chunk: Buffer): void => {
      for (const [index, byte] of chunk.entries()) {
        if (byte === INTERRUPT) {
          end(Buffer.alloc(0))
          reject(new PasswordInterrupted())
          return
        }
        if (byte === END || LINE_ENDS.includes(byte)) {
          end(chunk.subarray(index + 1))
          resolve(line)
          return
        }
        if (BACKSPACES.includes(byte)) line.pop()
        else if (byte === ERASE_LINE) line = []
        else line.push(byte)
      }
    }
    terminal.on('data', take)
    terminal.resume()
  })
}
