import { type ChildProcess, spawn } from 'node:child_process'

/** A program that needs longer than this for an answer (ms) is ended: it may ask a person. */
const PATIENCE = 120_000
/** The longest output that is read, in bytes. */
const MOST_OUTPUT = 64 * 1024

/**
 * Runs a program of `exec:`. Arguments and output have one character per byte.
 * @returns what it has printed, up to the end of its first line; null if it could not be started or did not end in time
 */
export function firstLineOf(program: string, words: readonly string[]): Promise<string | null> {
  return new Promise((resolve) => {
    const child = start(program, words)
    child.stdin?.end()
    let output = ''
    const late = setTimeout(() => {
      child.kill('SIGKILL')
      // Whatever the program has started may keep its output open.
      child.stdout?.destroy()
    }, PATIENCE)
    child.stdout?.on('data', (bytes: Buffer) => {
      if (output.length < MOST_OUTPUT) output += bytes.toString('latin1')
    })
    child.once('error', () => {
      clearTimeout(late)
      resolve(null)
    })
    child.once('close', (_status, signal) => {
      clearTimeout(late)
      const [line] = output.split(/[\r\n]/, 1)
      resolve(signal !== null && line === '' ? null : line)
    })
  })
}

/** A program of `|`, which reads what is shown on its standard input and prints a line for each question. */
export class PipedProgram {
  readonly #child: ChildProcess
  #output = ''
  #hasEnded = false
  #wake: () => void = () => undefined

  /** @param commandLine words that are separated by blanks */
  constructor(commandLine: string) {
    const [program = '', ...words] = commandLine.split(/\s+/).filter((word) => word !== '')
    const child = start(program, words)
    this.#child = child
    child.stdout?.on('data', (bytes: Buffer) => {
      if (this.#output.length < MOST_OUTPUT) this.#output += bytes.toString('latin1')
      this.#wake()
    })
    const end = (): void => {
      this.#hasEnded = true
      this.#wake()
    }
    child.once('error', end)
    child.once('close', end)
  }

  write(text: string): void {
    this.#child.stdin?.write(Buffer.from(text, 'latin1'))
  }

  /** @returns the next line; null if the program has ended, or does not print one in time */
  async ask(prompt: string): Promise<string | null> {
    this.write(prompt)
    const line = await this.#nextLine()
    if (line !== null) this.write('\n')
    return line
  }

  /** Lets the program read the end of its input. It may take its time to end. */
  end(): void {
    this.#child.stdin?.end()
    this.#child.stdout?.destroy()
    this.#child.unref()
  }

  #nextLine(): Promise<string | null> {
    return new Promise((resolve) => {
      const settle = (line: string | null): void => {
        clearTimeout(late)
        this.#wake = () => undefined
        resolve(line)
      }
      const late = setTimeout(() => settle(null), PATIENCE)
      this.#wake = () => {
        const end = this.#output.indexOf('\n')
        if (end >= 0) {
          const line = this.#output.slice(0, end)
          this.#output = this.#output.slice(end + 1)
          settle(line)
        } else if (this.#hasEnded || this.#output.length >= MOST_OUTPUT) settle(null)
      }
      this.#wake()
    })
  }
}

/** Nothing that the program prints as an error is kept: it may contain the phrase. */
function start(program: string, words: readonly string[]): ChildProcess {
  const child = spawn(Buffer.from(program, 'latin1').toString(), [...words], { stdio: ['pipe', 'pipe', 'ignore'] })
  // A program need not read what it is sent.
  child.stdin?.on('error', () => undefined)
  return child
}
