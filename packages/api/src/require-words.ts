import type { Command } from './command.ts'
import type { ModuleLog } from './log.ts'
import type { Request } from './request.ts'
import { isExpressionError } from './services.ts'

/** The words of a Require line that is a string expression. */
export interface RequireWords {
  /** Undefined if evaluation failed, which has been logged: deny access. */
  of(request: Request): readonly string[] | undefined
}

/** The owner of the words, for log lines about a failed evaluation. @suppliedByModules */
export interface RequireOwner {
  /** The log for evaluation failures. */
  readonly log: ModuleLog
  /** For example `authz_user authorize: require user`. */
  readonly subject: string
  /** AH code of the line. */
  readonly code: string
}

/**
 * Splits a list by the configuration's quoting rules, up to the first empty word, where httpd ends a list
 * (`Require ip 10.1 "" 10.2`).
 */
export function listedWords(text: string, command: Pick<Command, 'words'>): string[] {
  const words = command.words(text)
  const end = words.indexOf('')
  return end < 0 ? words : words.slice(0, end)
}

/** @returns an error text if the argument is not a string expression */
export function requireWords(argument: string, command: Command, owner: RequireOwner): RequireWords | string {
  const text = command.services.text(argument, command)
  if ('error' in text) return `Cannot parse expression in require line: ${text.error}`
  if (text.constant !== undefined) {
    const words = listedWords(text.constant, command)
    return { of: () => words }
  }
  return {
    of(request) {
      try {
        return listedWords(text.of(request), command)
      } catch (error) {
        if (!isExpressionError(error)) throw error
        owner.log.write(request, 'error', owner.code, `${owner.subject}: Can't evaluate require expression: ${error.message}`)
        return undefined
      }
    },
  }
}
