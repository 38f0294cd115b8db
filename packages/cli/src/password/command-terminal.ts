import { openSync, writeSync } from 'node:fs'
import { ReadStream } from 'node:tty'
import type { StartTerminal } from '@gatewright/api'
import { TypedLine } from './typed-line.ts'

/**
 * The terminal of a command: prompts go to standard output, and lines are read from the terminal of the session without
 * echo. Without a terminal, they are read from standard input, as OpenSSL does for httpd.
 */
export class CommandTerminal implements StartTerminal {
  readonly #write: (text: string) => void
  /** Bytes that were typed for the next question. */
  #ahead: Buffer = Buffer.alloc(0)

  /** @param write writes to standard output */
  constructor(write: (text: string) => void) {
    this.#write = write
  }

  show(text: string): void {
    this.#write(text)
  }

  async askSecret(prompt: string): Promise<string | null> {
    const terminal = openTerminal()
    if (terminal === null) {
      this.#write(prompt)
      return this.#readLine(process.stdin, () => process.stdin.pause())
    }
    terminal.stream.setRawMode(true)
    try {
      this.#write(prompt)
      return await this.#readLine(terminal.stream, () => undefined)
    } finally {
      terminal.stream.setRawMode(false)
      newLine(terminal.descriptor)
      terminal.close()
    }
  }

  #readLine(input: NodeJS.ReadableStream, pause: () => void): Promise<string | null> {
    const line = new TypedLine()
    return new Promise((resolve) => {
      const settle = (answer: string | null): void => {
        input.off('data', take)
        input.off('end', end)
        input.off('error', end)
        pause()
        resolve(answer)
      }
      const take = (bytes: Buffer | string): void => {
        const typed = Buffer.from(bytes)
        for (const [index, byte] of typed.entries()) {
          const state = line.take(byte)
          if (state === 'open') continue
          this.#ahead = typed.subarray(index + 1)
          return settle(state === 'complete' ? line.text : null)
        }
      }
      const end = (): void => settle(null)
      input.on('error', end)
      input.on('end', end)
      const ahead = this.#ahead
      this.#ahead = Buffer.alloc(0)
      input.on('data', take)
      if (ahead.length > 0) take(ahead)
      else if (!input.readable) end()
    })
  }
}

/** A terminal that is open for one question. */
interface OpenTerminal {
  readonly stream: ReadStream
  readonly descriptor: number
  close(): void
}

/** The terminal of the session, otherwise standard input if it is one; null without a terminal. */
function openTerminal(): OpenTerminal | null {
  try {
    const descriptor = openSync('/dev/tty', 'r+')
    const stream = new ReadStream(descriptor)
    return { stream, descriptor, close: () => stream.destroy() }
  } catch {
    const { stdin } = process
    return stdin.isTTY ? { stream: stdin, descriptor: 0, close: () => stdin.pause() } : null
  }
}

/** The line end that the person typed was not shown. */
function newLine(descriptor: number): void {
  try {
    writeSync(descriptor, '\n')
  } catch {
    // The terminal is gone, or takes no text at the moment.
  }
}
