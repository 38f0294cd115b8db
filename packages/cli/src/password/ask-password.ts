import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { ReadStream } from 'node:tty'
import { TypedLine } from './typed-line.ts'

/**
 * Prompts for a password at the terminal without echo. Without a terminal, like getpass(3), the prompt goes
 * to standard error and a line is read from standard input.
 * @returns the password's bytes, one character each; empty if the input has ended
 * @throws the system's error if nothing can be read
 */
export async function askPassword(prompt: string): Promise<string> {
  const input = openTerminal()
  return input === null ? askAt(0, 2, prompt) : askTerminal(input, prompt)
}

/** The terminal of the session, regardless of standard input; null if there is none. */
function openTerminal(): number | null {
  try {
    return openSync('/dev/tty', 'r+')
  } catch {
    return null
  }
}

function askTerminal(input: number, prompt: string): string {
  // The stream makes its descriptor non-blocking, so it has its own descriptor and only switches the echo
  // off.
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

/** Reads byte by byte, because bytes after the line belong to the next prompt. */
function askAt(input: number, output: number, prompt: string): string {
  writeSync(output, prompt)
  const line = new TypedLine()
  const byte = Buffer.alloc(1)
  while (readSync(input, byte) === 1) {
    const state = line.take(byte[0])
    if (state === 'complete' || state === 'ended') break
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
