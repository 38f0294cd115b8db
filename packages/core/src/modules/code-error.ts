import { execFile } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { withSourcePositions } from '../base/source-positions.ts'
import { OtherVersionLoaded } from './import-bytes.ts'

/** An error in a module's code, with its place if known, and the solution. */
export interface CodeError {
  readonly reason: string
  readonly hint: string
}

/** The code of a module did not finish loading in time. */
export class LoadDeadline extends Error {}

const REBUILD = 'build it again with apxs -c'

/** Why the code of `file`, which the gate has accepted, could not be executed. */
export async function codeError(error: unknown, file: string): Promise<CodeError> {
  if (!(error instanceof Error)) return { reason: String(error), hint: ASK }
  const { message } = error
  if (error instanceof LoadDeadline)
    return { reason: message, hint: 'a top-level await in its code never completes: wait in a hook instead' }
  if (error instanceof OtherVersionLoaded)
    return { reason: 'this process has executed another version of the file', hint: 'restart the server' }
  if ('code' in error && error.code === 'ERR_MODULE_NOT_FOUND')
    return {
      reason: `${message} (it was not bundled: build it with apxs)`,
      hint: `a module file must contain everything that it imports: ${REBUILD}`,
    }
  if (error instanceof ReferenceError && /^(module|require|exports) is not defined/.test(message))
    return { reason: `${message}: modules are ES modules`, hint: `write import and export default instead, and ${REBUILD}` }
  if (error instanceof SyntaxError) {
    const place = await syntaxErrorLine(file)
    const hint = /does not provide an export named/.test(message)
      ? `an import is not available in this Node (${process.version}): ${REBUILD}`
      : `this Node cannot parse it (${process.version}): ${REBUILD}`
    return { reason: place === '' ? message : `${place}: ${message}`, hint }
  }
  const place = placeIn(file, error)
  return { reason: place === '' ? message : `${place}: ${message}`, hint: ASK }
}

const ASK = 'the module fails while it loads: contact its author, or remove its LoadModule line'

function placeIn(file: string, error: Error): string {
  const line = error.stack?.split('\n').find((each) => each.includes(pathToFileURL(file).href))
  if (line === undefined) return ''
  const inSource = /\(?([^\s()]+:\d+:\d+) of /.exec(withSourcePositions(line))?.[1]
  return inSource ?? /:(\d+:\d+)\)?$/.exec(line)?.[1] ?? ''
}

/** Only a run with --check reports the line of a syntax error. */
function syntaxErrorLine(file: string): Promise<string> {
  return promisify(execFile)(process.execPath, ['--check', file]).then(
    () => '',
    (error: unknown) => {
      const text = typeof error === 'object' && error !== null && 'stderr' in error ? String(error.stderr) : ''
      return /:(\d+)$/m.exec(text)?.[1] ?? ''
    },
  )
}
