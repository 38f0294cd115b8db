import { osError } from '@gatewright/log'

/**
 * A failed step: each of `lines` is printed after `apxs:Error: `, as httpd's apxs does, followed by a hint.
 */
export class ApxsFailure extends Error {
  readonly lines: readonly string[]
  readonly hint: string | undefined

  constructor(lines: string | readonly string[], hint?: string) {
    const all = typeof lines === 'string' ? [lines] : lines
    super(all.join('\n'))
    this.lines = all
    this.hint = hint
  }
}

/**
 * A compilation or installation that failed. httpd's apxs exits with the status of the command that it ran.
 */
export class CommandFailure extends ApxsFailure {}

/** The last line of the message, which httpd's apxs splits in two. */
export const COMMAND_FAILED = 'Command failed with rc=65536\n'

/** The system's description of a failed file operation. */
export function reasonOf(error: unknown): string {
  return osError(error)?.text ?? (error instanceof Error ? error.message : String(error))
}
