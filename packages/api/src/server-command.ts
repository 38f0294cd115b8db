import type { MaybePromise } from './outcome.ts'

/**
 * What an operator asks a running server for, from the command line of the same machine. Group `serverCommands`, by the
 * first word. Only the user of the server's supervisor and root can ask.
 * @suppliedByModules
 * @since 2.4.6
 */
export interface ServerCommand {
  /**
   * Runs in one worker of the configuration that serves: what has to happen in all of them goes through a
   * {@link SharedRecord}. A question about former configurations runs also in a worker of each that still has requests.
   * @param words those after the name of the command
   * @returns what JSON can express, or what is wrong with the words
   */
  run(words: readonly string[]): MaybePromise<ServerCommandResult>
}

/**
 * The answer to a {@link ServerCommand}.
 * @suppliedByModules
 * @since 2.4.6
 */
export type ServerCommandResult =
  | {
      /** What JSON can express. */
      readonly data: object
    }
  | {
      /** What is wrong, in one sentence without a full stop. */
      readonly problem: string
      /** What to do about it. */
      readonly hint?: string
    }
