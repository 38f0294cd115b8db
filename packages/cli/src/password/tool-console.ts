import { readFileSync, writeSync } from 'node:fs'
import { askPassword } from './ask-password.ts'

/** What a password tool has around it. All texts are bytes, one character each. */
export interface ToolConsole {
  /** Standard output. */
  out(text: string): void
  /** Standard error. */
  err(text: string): void
  /** See {@link askPassword}. */
  ask(prompt: string): Promise<string>
  /** All of standard input. @throws the system's error */
  readInput(): string
}

/** That of this process. */
export const PROCESS_CONSOLE: ToolConsole = {
  out: (text) => write(1, text),
  err: (text) => write(2, text),
  ask: askPassword,
  readInput: () => readFileSync(0, 'latin1'),
}

function write(fd: number, text: string): void {
  let bytes: Buffer = Buffer.from(text, 'latin1')
  while (bytes.length > 0) bytes = bytes.subarray(writeSync(fd, bytes))
}
