import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs'
import type { ByteWriter } from './line-buffer.ts'
import { wholeLineWriter } from './whole-lines.ts'

/** Two ways to write to one descriptor. */
export interface DescriptorWriter {
  /** Never waits for a pipe: throws EAGAIN if its reader is slow. */
  readonly write: ByteWriter
  /**
   * A writer that waits for the reader, for two seconds in total from now, for the last lines of a process.
   */
  patient(): ByteWriter
  /** Closes what was opened in addition to the descriptor itself. */
  dispose(): void
}

/**
 * Creates the writers that suit the type of the descriptor: a pipe receives whole lines of at most PIPE_BUF
 * bytes per call.
 */
export function createDescriptorWriter(fd: number): DescriptorWriter {
  const stat = fstatSync(fd)
  if (!stat.isFIFO()) {
    const write: ByteWriter = stat.isFile() ? wholeLineWriter(fd) : (text) => writeSync(fd, text, null, 'latin1')
    return { write, patient: () => waiting(write), dispose: () => undefined }
  }
  const ownFd = openWithoutWaiting(fd)
  const write: ByteWriter = (text) => writePipe(ownFd, text)
  return {
    write,
    patient: () => waiting(write),
    dispose: () => {
      if (ownFd !== fd) closeSync(ownFd)
    },
  }
}

/** Writes up to this size do not interleave with those of other processes on the same pipe. */
const PIPE_BUF = 4096

function writePipe(fd: number, text: string): number {
  if (text.length <= PIPE_BUF) return writeSync(fd, text, null, 'latin1')
  const lastEnd = text.lastIndexOf('\n', PIPE_BUF - 1)
  const end = lastEnd === -1 ? text.indexOf('\n') : lastEnd
  return writeSync(fd, end === -1 ? text : text.slice(0, end + 1), null, 'latin1')
}

/**
 * The non-blocking flag belongs to the open file that all processes share, so it cannot be set on an
 * inherited pipe; Linux lets a process open the pipe again for itself. If that fails, the inherited
 * descriptor is used, and writing to it may wait.
 */
function openWithoutWaiting(fd: number): number {
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK)
  } catch {
    return fd
  }
}

/**
 * Waits, for a short time, if the descriptor does not block: a stalled or slow log program must not delay a
 * stop.
 */
function waiting(write: ByteWriter): ByteWriter {
  const deadline = performance.now() + PATIENCE
  return (text) => {
    for (;;) {
      try {
        return write(text)
      } catch (error) {
        const isFull = error instanceof Error && 'code' in error && error.code === 'EAGAIN'
        if (!isFull || performance.now() >= deadline) throw error
        pause(TICK)
      }
    }
  }
}

/**
 * Milliseconds; less than the time limit for a worker's exit, so that the worker can still report the lost
 * lines.
 */
const PATIENCE = 2_000
const TICK = 5

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
