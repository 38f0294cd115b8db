import { closeSync, constants, openSync } from 'node:fs'
import { createDescriptorWriter, type DescriptorWriter } from './descriptor-writer.ts'
import type { LogDestination, LossListener, TroubleListener } from './destination.ts'
import { type Buffering, LineBuffer } from './line-buffer.ts'

export interface FileOptions {
  /** If absent, lines are written at the end of each turn of the event loop. */
  readonly buffering?: Buffering
  readonly onError?: TroubleListener
  readonly onLoss?: LossListener
}

/**
 * A log file, opened for appending and created with mode 0644. Several processes may share it: each writes
 * whole lines with one call. The constructor throws the system error if the file cannot be opened.
 */
export class FileDestination implements LogDestination {
  readonly path: string
  readonly #onError: TroubleListener
  readonly #buffer: LineBuffer
  #target: OpenTarget

  constructor(path: string, options: FileOptions = {}) {
    this.path = path
    this.#onError = options.onError ?? ignore
    this.#target = openTarget(path)
    this.#buffer = new LineBuffer({
      target: path,
      buffering: options.buffering ?? 'turn',
      // Not bound to a writer, because reopening replaces the target.
      write: (text) => this.#target.writer.write(text),
      onError: this.#onError,
      onLoss: options.onLoss ?? ignore,
    })
  }

  /**
   * The descriptor of the open file, for children whose standard error is written to it; changes when the
   * file is reopened.
   */
  get fd(): number {
    return this.#target.fd
  }

  /** Lines that could not be written. */
  get droppedLines(): number {
    return this.#buffer.dropped
  }

  write(line: string): void {
    this.#buffer.add(line)
  }

  flush(): void {
    this.#buffer.drain(this.#target.writer.patient())
  }

  /**
   * Lines accepted before this call go to the old file. If the file cannot be opened by its name, the old one
   * stays in use.
   */
  reopen(): void {
    this.flush()
    let target: OpenTarget
    try {
      target = openTarget(this.path)
    } catch (error) {
      this.#onError({ target: this.path, error: error instanceof Error ? error : new Error(String(error)) })
      return
    }
    const old = this.#target
    this.#target = target
    closeTarget(old)
    // Lines that the old file did not accept, for example because the disk is full, go to the new one.
    this.flush()
  }

  close(): void {
    if (this.#target === CLOSED) return
    this.flush()
    this.#buffer.close()
    closeTarget(this.#target)
    this.#target = CLOSED
  }
}

interface OpenTarget {
  readonly fd: number
  readonly writer: DescriptorWriter
}

const CLOSED: OpenTarget = { fd: -1, writer: { write: () => 0, patient: () => () => 0, dispose: () => undefined } }

function openTarget(path: string): OpenTarget {
  const fd = openSync(nameOf(path), constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT, 0o644)
  return { fd, writer: createDescriptorWriter(fd) }
}

function closeTarget(target: OpenTarget): void {
  target.writer.dispose()
  closeSync(target.fd)
}

/** Paths are byte strings: characters that are not ASCII reach the system as bytes. */
function nameOf(path: string): string | Buffer {
  return /[^\0-\x7f]/.test(path) ? Buffer.from(path, 'latin1') : path
}

function ignore(): void {}
