import { type ChildProcess, spawn } from 'node:child_process'
import { isByteText } from '@gatewright/api/text'
import type { RewriteMap } from './rewrite-map.ts'
import { traceLookup } from './rewrite-map.ts'

/**
 * A map of type `prg`: a program that reads a key from each line and answers with a line; `NULL` means no
 * value. Each worker starts a program at its first look-up, as the worker's user, and another one after that
 * has ended.
 */
export function programMap(name: string, command: readonly string[]): RewriteMap {
  let program: Program | null = null
  return {
    find: (key, run) => {
      // A line break would split the key into two, and so would a character that is truncated to one when
      // it is written as a byte.
      if (key.includes('\n') || !isByteText(key)) {
        traceLookup(run, name, key, null)
        return null
      }
      const value = run.ask(run.texts, `${name} ${key}`, () => {
        if (program === null) run.atEnd(() => program?.close())
        if (program === null || program.ended) {
          program = new Program(command, (error) =>
            run.log.write(null, 'error', 'AH00654', `mod_rewrite: could not start RewriteMap program ${command[0] ?? ''}`, error),
          )
        }
        return program.answer(key)
      })
      if (run.waiting === null) traceLookup(run, name, key, value)
      return value
    },
  }
}

/** How long the answers of a program that has ended are awaited, if another process keeps its output open. */
const LAST_ANSWER_MS = 1000

/** A running program and the keys that it has not answered yet, in order. */
class Program {
  ended = false
  readonly #child: ChildProcess
  readonly #pending: ((answer: string | null) => void)[] = []
  #unread = ''

  constructor([file = '', ...args]: readonly string[], onError: (error: Error) => void) {
    this.#child = spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    this.#child.on('error', (error) => {
      onError(error)
      this.#end()
    })
    // Its last answer may arrive after its exit.
    this.#child.on('exit', () => {
      this.ended = true
      setTimeout(() => this.#end(), LAST_ANSWER_MS).unref()
    })
    this.#child.on('close', () => this.#end())
    this.#child.stdin?.on('error', () => this.#end())
    this.#child.stdout?.setEncoding('latin1').on('data', (text: string) => this.#read(text))
  }

  answer(key: string): Promise<string | null> {
    return new Promise((resolve) => {
      this.#pending.push(resolve)
      this.#child.stdin?.write(`${key}\n`, 'latin1')
    })
  }

  close(): void {
    this.#child.kill()
  }

  #read(text: string): void {
    const lines = (this.#unread + text).split('\n')
    this.#unread = lines.pop() ?? ''
    for (const line of lines) this.#pending.shift()?.(line.toUpperCase() === 'NULL' ? null : line)
  }

  #end(): void {
    this.ended = true
    for (const resolve of this.#pending.splice(0)) resolve(null)
  }
}
