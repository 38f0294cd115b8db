import type { Readable } from 'node:stream'
import { LONGEST_TIMER } from '../longest-timer.ts'
import type { ToolConsole } from '../tool-console.ts'
import { parseRotatelogsOptions, type RotatelogsOptions } from './options.ts'
import { NoLogFile, RotatedLog } from './rotated-log.ts'

/** Exit statuses of httpd's rotatelogs. */
const WRONG_WORDS = 1
const NO_FILE = 2
const NO_INPUT = 3
const NO_OUTPUT = 4

/**
 * rotatelogs' command line: writes standard input to files until it ends.
 * @param argv bytes, one character each
 * @returns the exit status
 */
export async function rotatelogs(
  argv: readonly string[],
  input: Readable,
  console: Pick<ToolConsole, 'out' | 'err'>,
): Promise<number> {
  const options = parseRotatelogsOptions(argv)
  if (typeof options === 'string') {
    console.err(options)
    return WRONG_WORDS
  }
  if (options.verbose) console.err(configurationText(options))
  const log = new RotatedLog(options, console.err)
  try {
    if (options.opensAtStart) log.open()
    return await copy(log, options, input, console)
  } catch (error) {
    if (!(error instanceof NoLogFile)) throw error
    console.err(error.message)
    return NO_FILE
  } finally {
    log.close()
  }
}

/** Copies until the input ends. @returns the exit status */
function copy(
  log: RotatedLog,
  options: RotatelogsOptions,
  input: Readable,
  console: Pick<ToolConsole, 'out' | 'err'>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    const attempt = (act: () => void): void => {
      try {
        act()
      } catch (error) {
        reject(error)
      }
    }
    const wait = (): void => {
      if (!options.createsEmpty || options.interval === 0) return
      clearTimeout(timer)
      const ms = log.untilEnd()
      const openNext = (): void => {
        if (ms <= LONGEST_TIMER) log.openIfDue()
        wait()
      }
      timer = setTimeout(() => attempt(openNext), Math.min(ms, LONGEST_TIMER))
    }
    const echo = (bytes: Buffer): void => {
      try {
        console.out(bytes.toString('latin1'))
      } catch {
        console.err('Unable to write to stdout\n')
        resolve(NO_OUTPUT)
      }
    }
    const end = (status: number): void => {
      clearTimeout(timer)
      resolve(status)
    }
    wait()
    input.on('data', (bytes: Buffer) =>
      attempt(() => {
        log.write(bytes)
        if (options.echoes) echo(bytes)
        wait()
      }),
    )
    input.once('end', () => end(0)).once('error', () => end(NO_INPUT))
  })
}

/** The lines of -v about the command line. */
function configurationText(options: RotatelogsOptions): string {
  const { interval, size, offset, local, logFile, opensAtStart, createsFolders, verbose, createsEmpty, program } = options
  const yes = (value: boolean): string => (value ? 'yes' : 'no')
  const lines: readonly (readonly [label: string, value: string | number])[] = [
    ['Rotation time interval:', interval],
    ['Rotation size interval:', size],
    ['Rotation time UTC offset:', offset],
    ['Rotation based on localtime:', yes(local)],
    ['Rotation file date pattern:', yes(logFile.includes('%'))],
    ['Rotation file forced open:', yes(opensAtStart)],
    ['Create parent directories:', yes(createsFolders)],
    ['Rotation verbose:', yes(verbose)],
    ['Rotation create empty logs:', yes(createsEmpty)],
    ['Rotation file name:', logFile],
    ['Post-rotation prog:', program ?? 'not used'],
  ]
  return lines.map(([label, value]) => `${label} ${String(value).padStart(WIDTH - label.length)}\n`).join('')
}

/** Columns of the lines of -v, without the blank between name and value. */
const WIDTH = 40
