import { osError } from '@gatewright/log'
import { withSourcePositions } from './source-positions.ts'

/** The message of an error, or any other thrown value as text. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The C library's text of a system error, as httpd prints it; the message of any other error. */
export function systemReason(error: unknown): string {
  return osError(error)?.text ?? errorMessage(error)
}

/** Like `errorMessage`, with the stack in positions of the sources, for errors caused by bugs. */
export function errorStack(error: unknown): string {
  return error instanceof Error ? withSourcePositions(error.stack ?? error.message) : String(error)
}
