import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { ReadStream } from 'node:tty'
import { TypedLine } from './typed-line.ts'

/**
 * Asks the person at the terminal for a password and shows nothing of it. Without a terminal the prompt goes
 * to standard error and a line is read from standard input, as getpass(3) does.
 * @returns the password's bytes, one character each; empty when the input has ended
 * @throws the system's error when nothing can be read
 */
export async function askPassword(prompt: string): Promise<string> {
  const input = openTerminal()
  return input === null ? askAt(0, 2, prompt) : askTerminal(input, prompt)
}

/** The terminal of the session, whatever standard input is; null when there is none. */
function openTerminal(): number | null {
  try {
    return openSync('/dev/tty', 'r+')
  } catch {
    return null
  }
}

function askTerminal(input: number, prompt: string): string {
  // The stream makes its descriptor a non-blocking one, so it gets one of its own and serves to switch the
  // echo off only.
  const control = new ReadStream(openSync('/dev/tty', 'r+'))
  try {
    control.setRawMode(true)
    return askAt(input, input, prompt)
  } finally {
    control.setRawMode(false)
    writeSync(input, '\n')
    control.destroy()
    closeSync(input)
  }
}

/** Byte by byte: what follows the line belongs to the next question. */
function askAt(input: number, output: number, prompt: string): string {
  writeSync(output, prompt)
  const line = new TypedLine()
  const byte = Buffer.alloc(1)
  while (readSync(input, byte) === 1) {
    const state = line.take(byte[0])
    if (state === 'complete') break
    if (state === 'interrupted') throw new PasswordInterrupted()
  }
  return line.text
}

/** The person pressed Ctrl-C, which is not a signal while the echo is off. */
export class PasswordInterrupted extends Error {
  override readonly name = 'PasswordInterrupted'

  constructor() {
    super('interrupted')
  }
}
