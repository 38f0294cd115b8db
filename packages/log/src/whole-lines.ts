import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import type { ByteWriter } from './line-buffer.ts'

/**
 * Writes lines to a file on a disk that may become full. A partial line on a full disk is removed, so that no
 * other process appends to it.
 */
export function wholeLineWriter(fd: number): ByteWriter {
  return (text) => {
    let taken = 0
    try {
      while (taken < text.length) taken += writeSync(fd, taken === 0 ? text : text.slice(taken), null, 'latin1')
      return taken
    } catch (error) {
      const whole = text.lastIndexOf('\n', taken - 1) + 1
      const end = taken > 0 && takeBack(fd, text.slice(whole, taken)) ? whole : taken
      if (end === 0) throw error
      return end
    }
  }
}

/**
 * Truncates a file by the given ending. Returns false if the file ends differently, because another process
 * may have written.
 */
function takeBack(fd: number, half: string): boolean {
  if (half === '') return true
  try {
    const { size } = fstatSync(fd)
    const start = size - half.length
    if (start < 0 || readEnd(fd, start, half.length) !== half) return false
    ftruncateSync(fd, start)
    return true
  } catch {
    return false
  }
}

/** Opens the file again, because the descriptor itself is for writing only. */
function readEnd(fd: number, start: number, length: number): string {
  const reading = openSync(`/proc/self/fd/${fd}`, 'r')
  try {
    const end = Buffer.alloc(length)
    return end.toString('latin1', 0, readSync(reading, end, 0, length, start))
  } finally {
    closeSync(reading)
  }
}
