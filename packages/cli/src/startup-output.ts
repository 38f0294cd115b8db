import { openSync, writeSync } from 'node:fs'
import { osError, osErrorText } from '@gatewright/log'
import type { StartConsole } from '@gatewright/mpm/supervisor'
import { CommandTerminal } from './password/command-terminal.ts'

/**
 * The destination of start-up messages: standard output and error, or the file of -E instead of the latter.
 * Lines are written synchronously, so that none is lost when the process ends.
 */
export function startupOutput(program: string, startupLog: string | null): StartConsole {
  const target = startupLog === null ? 2 : openLog(program, startupLog)
  const terminal = new CommandTerminal((text) => write(1, text))
  return { out: (line) => print(1, line), err: (line) => print(target, line), terminal }
}

/** Writes a line to a descriptor; a closed reader is ignored. */
export function print(fd: number, line: string): void {
  write(fd, `${line}\n`)
}

function write(fd: number, text: string): void {
  let bytes: Buffer = Buffer.from(text, 'latin1')
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(fd, bytes))
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return
    }
  }
}

function openLog(program: string, file: string): number {
  try {
    return openSync(file, 'a', 0o644)
  } catch (error) {
    const cause = osError(error)
    if (cause === undefined) throw error
    print(2, `${osErrorText(cause)}: AH00086: ${program}: could not open error log file ${file}.`)
    return 2
  }
}
