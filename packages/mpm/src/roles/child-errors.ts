import type { Readable } from 'node:stream'

/** Characters; a longer line is passed on in pieces. */
const LONGEST_LINE = 65_536

/** What Node prints above the stack at a SIGINT, with --trace-sigint. */
const STACK_HEAD = 'KEYBOARD_INTERRUPT: '
/**
 * What Node prints when JavaScript's heap has reached its limit, among other lines, before it ends by
 * SIGABRT.
 */
const OUT_OF_MEMORY = /^FATAL ERROR: .*heap out of memory$/
const FRAME = /^ {4}at (?<call>.+)$/

/**
 * The standard error of a child, line by line: lines are passed on unchanged, except the stack of a child
 * that was interrupted.
 */
export class ChildErrors {
  /** Resolves when the child and all processes that inherited its standard error have closed it. */
  readonly end: Promise<void>
  readonly #pass: (line: string) => void
  #stack: string[] | null = null
  #isInStack = false
  #ranOutOfMemory = false
  #rest = ''

  /** @param pass given each line, one character per byte and without its line feed */
  constructor(stream: Readable, pass: (line: string) => void) {
    this.#pass = pass
    stream.setEncoding('latin1')
    stream.on('data', (text: string) => this.#read(text))
    this.end = new Promise((resolve) => {
      stream.once('close', () => {
        if (this.#rest !== '') this.#take(this.#rest)
        resolve()
      })
      // A broken pipe counts as ended.
      stream.on('error', () => undefined)
    })
  }

  /**
   * What the child was doing when it was interrupted, innermost call first: `FUNCTION (FILE:LINE:COLUMN)`.
   * Empty if it did not report it.
   */
  get stack(): readonly string[] {
    return this.#stack ?? []
  }

  /** Whether the child has reported that its memory was exhausted. */
  get ranOutOfMemory(): boolean {
    return this.#ranOutOfMemory
  }

  /** From now on a stack is kept instead of being passed on. */
  keepStack(): void {
    this.#stack ??= []
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) this.#take(line)
    if (this.#rest.length < LONGEST_LINE) return
    this.#take(this.#rest)
    this.#rest = ''
  }

  #take(line: string): void {
    if (OUT_OF_MEMORY.test(line)) this.#ranOutOfMemory = true
    if (this.#stack === null) return this.#pass(line)
    if (line.startsWith(STACK_HEAD)) {
      this.#isInStack = true
      return
    }
    const call = this.#isInStack ? FRAME.exec(line)?.groups?.['call'] : undefined
    if (call !== undefined) this.#stack.push(call)
    else if (this.#isInStack && line === '') this.#isInStack = false
    else this.#pass(line)
  }
}
