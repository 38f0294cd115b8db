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
 * What a rule keeps of the line that made it, so that messages about the rule can name the line.
 * @since 2.4.5
 */
export function directivePlace({ name, file, line }: Command): DirectivePlace {
  return { name, file, line }
}

/**
 * The computing that a request causes, its sub-requests and internal redirects included. One thread serves all clients of a worker, so whatever goes through a list
 * that a .htaccess file can make long counts its steps here:
 *
 * ```ts
 * if (request.work.spend()) return request.work.pause(rule.place).then(() => continueFrom(index))
 * ```
 *
 * As long as `spend` returns false, which is always so for a request of ordinary cost, nothing has to wait.
 * @since 2.4.5
 */
export interface Work {
  /**
   * Counts steps before they are done; costs a subtraction. True when others have waited long enough: call
   * {@link Work.pause}, and do the step when that has settled.
   * @param steps about how many microseconds the next piece of computing takes; 1 unless given
   */
  spend(steps?: number): boolean
  /**
   * Gives way to other clients. Settles in a later turn of the event loop, when it is this request's turn
   * among those that wait. Rejects with {@link RequestTooExpensive} when the request has used what
   * LimitComputingTime allows: let that pass, and the request is answered 500.
   * @param place the directive whose rules are being applied, for the message
   */
  pause(place?: DirectivePlace): Promise<void>
}

/**
 * A request costs more than it may, in time or in memory. A hook that lets it pass, or throws it, makes a 500
 * and a line in the error log that names the directive. Recognised by its name: copies of this class in
 * different modules are the same to {@link isRequestTooExpensive}.
 * @since 2.4.5
 */
export class RequestTooExpensive extends Error {
  /** What it is recognised by. */
  override readonly name = 'RequestTooExpensive'

  /**
   * @param reason what is too much, `the request has used 10 s of computing`
   * @param place the directive at fault
   */
  constructor(reason: string, place?: DirectivePlace) {
    super(place === undefined ? reason : `${place.file}:${place.line}: ${place.name}: ${reason}`)
  }
}

/**
 * Distinguishes requests that cost too much from other errors.
 * @since 2.4.5
 */
export function isRequestTooExpensive(error: unknown): error is RequestTooExpensive {
  return error instanceof Error && error.name === 'RequestTooExpensive'
}

/**
 * Runs all steps of a long task and yields to other clients in between, see {@link Work}. The result is a
 * promise only if it yielded. Each step yields an estimate in microseconds of the next one, or nothing for
 * one.
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
          // What the steps hold open is released.
          steps.return?.()
          throw error
        },
      )
    }
  }
}
