import type { Command } from './command.ts'
import type { MaybePromise } from './outcome.ts'

/**
 * The place of a directive, for messages.
 * @since 2.4.5
 */
export interface DirectivePlace {
  /** Its name. */
  readonly name: string
  /** File of the line. */
  readonly file: string
  /** Its number, from 1. */
  readonly line: number
}

/**
 * The part of a line that a rule keeps, so that messages about the rule can name the line.
 * @since 2.4.5
 */
export function directivePlace({ name, file, line }: Command): DirectivePlace {
  return { name, file, line }
}

/**
 * The computing time of a request, including its sub-requests and internal redirects. One thread serves all
 * clients of a worker, so code that processes a list that a .htaccess file can make long counts its steps
 * here:
 *
 * ```ts
 * if (request.work.spend()) return request.work.pause(rule.place).then(() => continueFrom(index))
 * ```
 *
 * As long as `spend` returns false, as it always does for a request of ordinary cost, nothing has to wait.
 * @since 2.4.5
 */
export interface Work {
  /**
   * Counts steps before they run; the cost is a subtraction. If it returns true, others have waited long
   * enough: call {@link Work.pause}, and run the step after it has settled.
   * @param steps the approximate microseconds of the next piece of computing; 1 unless given
   */
  spend(steps?: number): boolean
  /**
   * Yields to other clients. Settles in a later turn of the event loop, when this request is next among those
   * that wait. Rejects with {@link RequestTooExpensive} if the request has reached LimitComputingTime: do not
   * catch that, so that the request is answered 500.
   * @param place the directive whose rules are being applied, for the message
   */
  pause(place?: DirectivePlace): Promise<void>
}

/**
 * A request exceeds its limit of time or memory. A hook that throws this error, or does not catch it, causes
 * a 500 and a line in the error log that names the directive. {@link isRequestTooExpensive} identifies it by
 * its name, because modules contain copies of this class.
 * @since 2.4.5
 */
export class RequestTooExpensive extends Error {
  /** Identifies the class. */
  override readonly name = 'RequestTooExpensive'

  /**
   * @param reason the exceeded limit, `the request has used 10 s of computing`
   * @param place the directive at fault
   */
  constructor(reason: string, place?: DirectivePlace) {
    super(place === undefined ? reason : `${place.file}:${place.line}: ${place.name}: ${reason}`)
  }
}

/**
 * Distinguishes requests that exceeded a limit from other errors.
 * @since 2.4.5
 */
export function isRequestTooExpensive(error: unknown): error is RequestTooExpensive {
  return error instanceof Error && error.name === 'RequestTooExpensive'
}

/**
 * Runs all steps of a long task and yields to other clients in between, see {@link Work}. The result is a
 * promise only if it yielded. Each step yields an estimate in microseconds for the next one; without an
 * estimate the next step counts as one microsecond.
 * @throws the errors of the steps; the promise rejects with them, or with {@link RequestTooExpensive}
 * @since 2.4.5
 */
export function inTurns<T>(work: Work, steps: Iterator<number | undefined, T>): MaybePromise<T> {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    if (work.spend(step.value)) {
      return work.pause().then(
        () => inTurns(work, steps),
        (error: unknown) => {
          // Releases what the steps hold open.
          steps.return?.()
          throw error
        },
      )
    }
  }
}
