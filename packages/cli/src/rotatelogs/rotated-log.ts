import { spawn } from 'node:child_process'
import { closeSync, constants, fstatSync, linkSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { systemErrorOf } from '@gatewright/dbm'
import { LogNames } from './log-names.ts'
import type { RotatelogsOptions } from './options.ts'

const NEWLINE = 0x0a
/** Seconds until a file is tried again that could not be opened. */
const RETRY = 10
const MODE = 0o644

/** Where messages go. */
export type Report = (text: string) => void

/** A file cannot be opened, and there is no former one to which its lines could go. */
export class NoLogFile extends Error {}

/** A log that continues in another file after a time or size. A line is never divided between two files. */
export class RotatedLog {
  readonly #options: RotatelogsOptions
  readonly #names: LogNames
  readonly #report: Report
  readonly #progress: Report
  #file: { readonly descriptor: number; readonly name: string } | null = null
  /** When the interval ends, in seconds of {@link LogNames.now}. */
  #end: number | null = null
  #isFirst = true
  #isInLine = false
  /** Until when lines go to the former file, because the next one could not be opened. */
  #retry = Number.NEGATIVE_INFINITY
  /** Bytes that could not be written since the last ones that could. */
  #lost = 0

  /** @param clock milliseconds since 1970 */
  constructor(options: RotatelogsOptions, report: Report, clock: () => number = Date.now) {
    this.#options = options
    this.#names = new LogNames(options, clock)
    this.#report = report
    this.#progress = options.verbose ? report : () => undefined
  }

  /** Milliseconds until the interval ends; a whole one before the first file is open. */
  untilEnd(): number {
    return Math.ceil(Math.max(0, this.#end === null ? this.#options.interval : this.#end - this.#names.now()) * 1000)
  }

  /** Writes bytes, after those of a file that has reached a limit to the next one. @throws NoLogFile */
  write(bytes: Uint8Array): void {
    let rest = bytes
    if (this.#isInLine && this.#file !== null && this.#reason() !== null) {
      const end = rest.indexOf(NEWLINE)
      if (end < 0) return this.#put(rest)
      this.#put(rest.subarray(0, end + 1))
      rest = rest.subarray(end + 1)
      if (rest.length === 0) return undefined
    }
    this.openIfDue()
    this.#put(rest)
  }

  /** Begins a new file if there is none, or if that which is open has reached a limit. @throws NoLogFile */
  openIfDue(): void {
    const reason = this.#reason()
    if (reason === null) return
    this.#progress(`File rotation needed, reason: ${reason}\n`)
    this.open()
  }

  /** Begins a new file. @throws NoLogFile */
  open(): void {
    const { createsFolders, program } = this.#options
    const { name, end } = this.#names.next()
    this.#end = end
    const former = this.#file
    try {
      if (createsFolders) this.#createFolders(dirname(name))
      this.#progress(`Opening file ${name}\n`)
      this.#file = { descriptor: openSync(bytesOf(name), this.#flags(), MODE), name }
    } catch (error) {
      const text = `Could not open log file '${name}' (${systemErrorOf(error).text})\n`
      if (former === null) throw new NoLogFile(text)
      this.#report(text)
      this.#retry = this.#names.now() + RETRY
      return
    }
    this.#isFirst = false
    this.#isInLine = false
    this.#link(name)
    if (program !== null) this.#start(program, former === null ? [name] : [name, former.name])
    if (former === null) return
    this.#progress(`Closing file ${former.name}\n`)
    closeSync(former.descriptor)
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file.descriptor)
    this.#file = null
  }

  #reason(): string | null {
    if (this.#file === null) return 'Open a new file'
    const now = this.#names.now()
    if (now < this.#retry) return null
    if (this.#end !== null && now >= this.#end) return 'Time interval expired'
    const { size } = this.#options
    return size > 0 && fstatSync(this.#file.descriptor).size > size ? 'Maximum size reached' : null
  }

  #flags(): number {
    const { files, truncates } = this.#options
    const isEmptied = truncates === 'always' || (!this.#isFirst && (truncates === 'except the first' || files > 0))
    return constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | (isEmptied ? constants.O_TRUNC : 0)
  }

  #createFolders(folder: string): void {
    this.#progress(`Creating directory tree ${folder}\n`)
    mkdirSync(bytesOf(folder), { recursive: true, mode: 0o755 })
  }

  /** Replaces the link as a whole, so that it always leads to a file. */
  #link(name: string): void {
    const { link } = this.#options
    if (link === null) return
    this.#progress(`Linking ${name} to ${link}\n`)
    const temporary = bytesOf(`${link}.${process.pid}`)
    try {
      linkSync(bytesOf(name), temporary)
      renameSync(temporary, bytesOf(link))
      // Where the link was one to this file already, the rename did nothing.
      rmSync(temporary, { force: true })
    } catch (error) {
      this.#report(`Error linking file ${name} to ${link} (${systemErrorOf(error).text})\n`)
    }
  }

  /** Starts a program that nobody waits for. */
  #start(program: string, words: readonly string[]): void {
    this.#progress(`Calling post-rotate program: ${program}\n`)
    const child = spawn(decoded(program), words.map(decoded), { stdio: 'inherit' })
    child.once('error', (error) => {
      this.#report(`Could not spawn post-rotate process '${program}': ${systemErrorOf(error).text}\n`)
    })
    child.unref()
  }

  #put(bytes: Uint8Array): void {
    if (this.#file === null || bytes.length === 0) return
    this.#isInLine = bytes[bytes.length - 1] !== NEWLINE
    const { descriptor, name } = this.#file
    let rest = bytes
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest))
    } catch (error) {
      // One message for each row of failures: a full disk must not fill the other log.
      if (this.#lost === 0) this.#report(`Error writing to file ${name}: ${systemErrorOf(error).text}\n`)
      this.#lost += rest.length
      return
    }
    if (this.#lost > 0) this.#report(`Writing to file ${name} again; ${this.#lost} bytes were lost\n`)
    this.#lost = 0
  }
}

/** Words of the command line have a character for each byte. */
function bytesOf(text: string): Buffer {
  return Buffer.from(text, 'latin1')
}

/** Node encodes the words of programs as UTF-8. */
function decoded(text: string): string {
  return bytesOf(text).toString('utf8')
}
