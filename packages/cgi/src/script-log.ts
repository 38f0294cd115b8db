import { closeSync, openSync, statSync, writeSync } from 'node:fs'
import type { Outcome, Request } from '@gatewright/api'
import { strftime } from '@gatewright/api/text'

/** Settings of the log for the authors of scripts. */
export interface ScriptLogSettings {
  /** ScriptLog; undefined for none. */
  file?: string
  /** ScriptLogLength: nothing is added to a longer file, bytes. */
  length?: number
  /** ScriptLogBuffer: bytes of a request's body. */
  buffer?: number
}

/** httpd's values. */
export const STANDARD_LENGTH: number = 10_385_760
export const STANDARD_BUFFER: number = 1024
/** The longest output of a script that is kept for an entry, bytes. */
export const OUTPUT_MAX: number = 64 * 1024

/** What is known of a script that failed. */
export interface FailedScript {
  readonly status: Outcome
  /** The start of the request's body. */
  readonly body: string
  /** The last line of the head. */
  readonly line: string
  /** What the script has written after it, '' for nothing. */
  readonly output: string
  /** What it has written to its standard error. */
  readonly errors: string
}

/** Adds an entry for a script that ran and failed. */
export function logFailedScript(request: Request, settings: Readonly<ScriptLogSettings>, script: FailedScript): void {
  let text = `${headOf(request, script.status)}%request\n`
  for (const [name, value] of request.headersIn) text += `${name}: ${value}\n`
  if ((request.method === 'POST' || request.method === 'PUT') && script.body !== '') text += `\n${script.body}\n`
  text += '%response\n'
  for (const [name, value] of request.errHeadersOut) text += `${name}: ${value}\n`
  if (script.line !== '') text += `${script.line}\n`
  if (script.output !== '') text += `%stdout\n${script.output}\n`
  if (script.errors !== '') text += `%stderr\n${script.errors}\n`
  append(settings, text)
}

/** Adds an entry for a script that was not started. */
export function logRefusedScript(request: Request, settings: Readonly<ScriptLogSettings>, status: Outcome, reason: string): void {
  append(settings, `${headOf(request, status)}%error\n${reason}\n`)
}

function headOf(request: Request, status: Outcome): string {
  const query = request.args === null ? '' : `?${request.args}`
  const time = strftime('%a %b %d %H:%M:%S %Y', Date.now())
  return `%% [${time}] ${request.method} ${request.uri}${query} ${request.protocol}\n%% ${status} ${request.filename}\n`
}

/** As in httpd, an entry that cannot be written is left out: the response does not depend on it. */
function append({ file, length = STANDARD_LENGTH }: Readonly<ScriptLogSettings>, text: string): void {
  if (file === undefined) return
  const path = Buffer.from(file, 'latin1')
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found !== undefined && (found.size > length || !found.isFile())) return
    const descriptor = openSync(path, 'a', 0o644)
    try {
      writeSync(descriptor, Buffer.from(text, 'latin1'))
    } finally {
      closeSync(descriptor)
    }
  } catch {
    // See above.
  }
}
