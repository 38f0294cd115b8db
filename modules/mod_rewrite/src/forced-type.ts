import { DECLINED, type Outcome, type Request } from '@gatewright/api'
import { lowerCase } from './c-library-text.ts'
import { expand } from './expand.ts'
import type { RewriteRule } from './rule.ts'
import type { Run } from './run.ts'
import type { Trace } from './trace.ts'

const TYPE_NOTE = 'rewrite-forced-mimetype'
const HANDLER_NOTE = 'rewrite-forced-handler'

/** Flags T and H: recorded until all other modules have set the type and handler of the file. */
export function recordType(run: Run, { type, handler }: RewriteRule): void {
  const { request } = run
  if (type !== null) {
    const value = lowerCase(expand(run, type, null))
    if (value !== '') {
      run.trace?.write(2, run.directory, `remember ${request.filename} to have MIME-type '${value}'`)
      request.notes.set(TYPE_NOTE, value)
    }
  }
  if (handler !== null) {
    const value = lowerCase(expand(run, handler, null))
    if (value !== '') {
      run.trace?.write(2, run.directory, `remember ${request.filename} to have Content-handler '${value}'`)
      request.notes.set(HANDLER_NOTE, value)
    }
  }
}

/** The last fixup: applies the recorded type and handler. */
export function forceType(request: Request, traceOf: (request: Request) => Trace | null): Outcome {
  const type = request.notes.get(TYPE_NOTE)
  const handler = request.notes.get(HANDLER_NOTE)
  if (type === undefined && handler === undefined) return DECLINED
  const trace = traceOf(request)
  if (type !== undefined) {
    trace?.write(1, null, `force filename ${request.filename} to have MIME-type '${type}'`)
    request.contentType = type
  }
  if (handler !== undefined) {
    trace?.write(1, null, `force filename ${request.filename} to have the Content-handler '${handler}'`)
    request.handler = handler
  }
  return DECLINED
}
