import { createDescriptorWriter, type DescriptorWriter } from './descriptor-writer.ts'
import type { LogDestination, LossListener, TroubleListener } from './destination.ts'
import { type Buffering, LineBuffer } from './line-buffer.ts'

export interface DescriptorOptions {
  /** The descriptor's name in reports; `descriptor N` if absent. */
  readonly name?: string
  /** If absent, lines are written at the end of each turn of the event loop. */
  readonly buffering?: Buffering
  readonly onError?: TroubleListener
  readonly onLoss?: LossListener
}

/**
 * A descriptor that was opened elsewhere: standard error, or the pipe to a log program. It is never closed
 * here. A pipe with a slow reader blocks nothing while the server runs; `flush` and `close` wait for the
 * reader, at most two seconds.
 */
export class DescriptorDestination implements LogDestination {
  readonly fd: number
  readonly #writer: DescriptorWriter
  readonly #buffer: LineBuffer
  #closed = false

  constructor(fd: number, options: DescriptorOptions = {}) {
    this.fd = fd
    this.#writer = createDescriptorWriter(fd)
    this.#buffer = new LineBuffer({
      target: options.name ?? `descriptor ${fd}`,
      buffering: options.buffering ?? 'turn',
      write: this.#writer.write,
      onError: options.onError ?? ignore,
      onLoss: options.onLoss ?? ignore,
    })
  }

  /** Lines that could not be written. */
  get droppedLines(): number {
    return this.#buffer.dropped
  }

  write(line: string): void {
    this.#buffer.add(line)
  }

  flush(): void {
    this.#buffer.drain(this.#writer.patient())
  }

  reopen(): void {
    this.flush()
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.flush()
    this.#buffer.close()
    this.#writer.dispose()
  }
}

function ignore(): void {}
