import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { servedRequest, wordsToExplain } from './served-request.ts'

/**
 * Prints each request in one line, and explains those that access control refused: once, until another one is
 * refused or the module changes.
 */
export class RequestPrinter {
  readonly #programs: string
  readonly #configuration: string
  readonly #print: (line: string) => void
  #explained = ''
  #explaining: Promise<void> = Promise.resolve()

  constructor(programs: string, configuration: string, print: (line: string) => void) {
    this.#programs = programs
    this.#configuration = configuration
    this.#print = print
  }

  readonly served = (line: string): void => {
    const request = servedRequest(line)
    if (request === null) {
      this.#print(line)
      return
    }
    const { method, target, status, milliseconds } = request
    this.#print(`${method} ${target} ${status} ${milliseconds.toFixed(1)} ms`)
    const words = wordsToExplain(request)
    if (words === null) return
    const key = words.join(' ')
    if (key === this.#explained) return
    this.#explained = key
    this.#explaining = this.#explaining.then(() => this.#explain(words))
  }

  /** The module has changed: the next refusal is explained, even if it is the same one. */
  forget(): void {
    this.#explained = ''
  }

  /** Waits for explanations that are being made. */
  async close(): Promise<void> {
    await this.#explaining
  }

  async #explain(words: readonly string[]): Promise<void> {
    const child = spawn(join(this.#programs, 'gatewright'), ['explain', '-f', this.#configuration, ...words], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const parts: Buffer[] = []
    child.stdout.on('data', (part: Buffer) => parts.push(part))
    const failed = new Promise<void>((resolve) => child.once('error', () => resolve()))
    await Promise.race([once(child, 'close'), failed])
    for (const line of Buffer.concat(parts).toString().trimEnd().split('\n')) this.#print(`  ${line}`)
  }
}
