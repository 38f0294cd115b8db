/**
 * The steps and results of access decisions, for explanations. Import from `@gatewright/api/tracing`.
 * @module tracing
 */

import type { SectionInfo } from './command.ts'
import type { DatabaseRows } from './database.ts'
import type { HookName } from './hooks.ts'
import type { MethodSet } from './methods.ts'
import type { OptionalHooks } from './optional-hooks.ts'
import type { MaybePromise, Outcome } from './outcome.ts'
import { observeDecision } from './peers.ts'
import type { AuthzStatus } from './providers.ts'
import type { Request } from './request.ts'
import { utf8Bytes } from './text/bytes.ts'
import type { DirectivePlace } from './work.ts'

export * from './decision-notes.ts'

/** The place of a line of the configuration. */
export interface ConfigPlace {
  /** File of the line. */
  readonly file: string
  /** Its number, from 1. */
  readonly line: number
  /** The enclosing section. */
  readonly section: SectionInfo
}

/** A node of a Require tree, for a tracer. `title` is its name in the decision trail of the error log. */
export type RequireNode = RequireLineNode | RequireGroupNode

/** One Require line. */
export interface RequireLineNode {
  /** Distinguishes lines from groups. */
  readonly kind: 'require'
  /** Its name in messages. */
  readonly title: string
  /** True with `not`. */
  readonly negated: boolean
  /** Methods of the enclosing `<Limit>`. */
  readonly methods: MethodSet
  /** Its place. */
  readonly place: ConfigPlace
  /** The provider's name and its arguments, as written. */
  readonly line: { readonly provider: string; readonly argument: string }
}

/** A container of Require lines, or the lines of a section without one. */
export interface RequireGroupNode {
  /** Distinguishes groups from lines. */
  readonly kind: 'group'
  /** Its name in messages. */
  readonly title: string
  /** True for `<RequireNone>`. */
  readonly negated: boolean
  /** Methods of the enclosing `<Limit>`. */
  readonly methods: MethodSet
  /** Its place. */
  readonly place: ConfigPlace
  /** `all` stops at the first denial, `any` at the first grant. */
  readonly rule: 'all' | 'any'
  /** Its children, in order. */
  readonly children: readonly RequireNode[]
}

/** One word after `Allow from` or `Deny from`, and whether it matches the client. */
export interface HostWordResult {
  /** The directive. */
  readonly list: 'Allow' | 'Deny'
  /** As written. */
  readonly word: string
  /** File of the line. */
  readonly file: string
  /** Its number, from 1. */
  readonly line: number
  /** True if it matches the client. */
  readonly matches: boolean
}

/** Order, Allow, Deny and Satisfy of one section for the method of a request. */
export interface HostDecision {
  /** The section of the directives. */
  readonly section: SectionInfo
  /** False if the section has only Satisfy and therefore denies no one. */
  readonly ruled: boolean
  /** The effective Order. */
  readonly order: 'deny,allow' | 'allow,deny' | 'mutual-failure'
  /** Satisfy, `unset` without one. */
  readonly satisfy: 'all' | 'any' | 'unset'
  /** All words that were tested. */
  readonly words: readonly HostWordResult[]
  /** The result. */
  readonly allowed: boolean
}

/** The phases of access control, in their order. */
export type AccessPhase = 'accessChecker' | 'accessCheckerEx' | 'forceAuthn' | 'checkUserId' | 'authChecker'

/** One step of a decision. */
export type DecisionStep =
  /** The per-directory configuration is complete: its sections, in the order of merging. */
  | { readonly kind: 'sections'; readonly sections: readonly SectionInfo[] }
  /** The condition of an `<If>`, `<ElseIf>` or `<Else>` section was evaluated. */
  | { readonly kind: 'condition'; readonly section: SectionInfo; readonly holds: boolean }
  /**
   * The decision for the main request or the redirecting one applies because its sections are the same.
   * Nothing is checked again.
   */
  | { readonly kind: 'decided before' }
  /**
   * The sections are the same as in an earlier decision, but the request is authorized again because access
   * functions of some modules decide by request. (2.4.5; a member of a union cannot have tags.)
   */
  | {
      readonly kind: 'decided again'
      /** Their source names. */
      readonly modules: readonly string[]
    }
  | { readonly kind: 'host rules'; readonly decision: HostDecision }
  /** A Require tree was evaluated; `root` is null if there is none. */
  | {
      readonly kind: 'require'
      readonly moment: 'before authentication' | 'after authentication'
      readonly root: RequireNode | null
      readonly status: AuthzStatus
    }
  /** AccessCompatPrecedence manual: the host rules of a URL section replace this tree of folder sections. */
  | { readonly kind: 'require set aside'; readonly root: RequireNode }
  /** A server was chosen for the request, and why. (2.4.6) */
  | {
      readonly kind: 'server'
      /** Why, as the end of a sentence. */
      readonly because: string
    }
  /** A line of the configuration changed the request or its response; `place` is null for a default. (2.4.6) */
  | {
      readonly kind: 'directive'
      /** The directive's name. */
      readonly name: string
      /** Where its line is. */
      readonly place: DirectivePlace | null
      /** What it did, as the end of a sentence: `maps /a to /srv/a`. */
      readonly effect: string
    }
  /** A function of a hook returned another outcome than DECLINED. (2.4.6) */
  | {
      readonly kind: 'hook'
      /** The hook's name. */
      readonly hook: HookName
      /** Source name of its module. */
      readonly module: string
      readonly outcome: Outcome
    }
  /** The response was generated, or would be by a program that an explanation does not run. (2.4.6) */
  | {
      readonly kind: 'handler'
      /** The name by which the handler was chosen. */
      readonly handler: string
      /** Source name of its module. */
      readonly module: string
      /** False if it was not run. */
      readonly isRun: boolean
    }
  /** Another server was asked for what the decision depends on, or would be. (2.4.6) */
  | {
      readonly kind: 'question'
      /** Who is asked, such as a directory or a database. */
      readonly of: string
      /** What is asked, without secrets. */
      readonly question: string
      /** The answer, without secrets; null if nobody was asked. */
      readonly answer: string | null
    }
  /** A phase of access control is over. */
  | { readonly kind: 'phase'; readonly phase: AccessPhase; readonly outcome: Outcome }

/**
 * Receives every step of a decision from the code that makes it. The decision is the same with and without a
 * tracer. Normal service has none.
 */
export interface DecisionTracer {
  /**
   * True if no other server may be asked: modules report what they would ask, and deny.
   * @since 2.4.6
   */
  readonly isOffline?: boolean
  /**
   * A password that counts as correct for every user that a provider knows. It is sent to no other server.
   * @since 2.4.6
   */
  readonly assumedPassword?: string
  /** Reports a step. */
  step(request: Request, step: DecisionStep): void
  /**
   * The value of a node of a Require tree, including its negation: children before their container, and no
   * nodes that an early stop skips.
   */
  evaluated(request: Request, node: RequireNode, status: AuthzStatus): void
  /**
   * The node was skipped: its methods (`<Limit>`) do not include the request's. `status` is the substitute
   * for its result.
   */
  limited(request: Request, node: RequireNode, status: AuthzStatus): void
}

/**
 * Reports to the tracer of a request, if it has one, that a line of the configuration changed the request.
 * @param name of the directive
 * @param place of the line; null or undefined for a default
 * @param effect what it did, as the end of a sentence
 * @since 2.4.6
 */
export function traceDirective(request: Request, name: string, place: DirectivePlace | null | undefined, effect: string): void {
  request.tracer?.step(request, { kind: 'directive', name, place: place ?? null, effect })
}

/** What a module asks of another server. */
export interface ShownQuestion<T> {
  /** Who is asked, such as a directory or a database. */
  readonly of: string
  /** What is asked, without secrets. */
  readonly question: string
  /** Asks. */
  ask(): MaybePromise<T>
  /** The answer in a few words, without secrets. */
  shown(answer: T): string
}

/**
 * Asks another server, and reports question and answer to the tracer of the request, if it has one.
 * @returns null without asking, if the tracer is offline; rejects as `ask` does
 * @since 2.4.6
 */
export function askShown<T>(request: Request, { of, question, ask, shown }: ShownQuestion<T>): MaybePromise<T | null> {
  const { tracer } = request
  if (tracer === null) return ask()
  const report = (answer: string | null): void => tracer.step(request, { kind: 'question', of, question, answer })
  if (tracer.isOffline === true) {
    report(null)
    return null
  }
  const asked = async (): Promise<T> => ask()
  return asked().then(
    (answer) => {
      report(shown(answer))
      return answer
    },
    (error: unknown) => {
      report(`failed: ${utf8Bytes(error instanceof Error ? error.message : String(error))}`)
      throw error
    },
  )
}

/**
 * The question of a statement of a database, for `askShown`.
 * @param driver of the database
 * @param statement as configured
 * @param values of its placeholders
 * @since 2.4.6
 */
export function statementQuestion(
  driver: string,
  statement: string,
  values: readonly string[],
): Pick<ShownQuestion<unknown>, 'of' | 'question'> {
  const bound = values.length === 0 ? '' : ` with ${values.map((value) => `'${value}'`).join(', ')}`
  return { of: `the database (${driver})`, question: `${statement}${bound}` }
}

/**
 * How many rows a database has answered with, for `askShown`.
 * @since 2.4.6
 */
export function rowsText({ rows }: DatabaseRows): string {
  return rows.length === 1 ? '1 row' : `${rows.length} rows`
}

/**
 * Whether a password is that of a question without one: it counts as correct for every user that a provider knows, and is sent to no
 * other server.
 * @since 2.4.6
 */
export function isAssumedPassword({ tracer }: Request, password: string | null): boolean {
  return password !== null && tracer?.assumedPassword === password
}

/**
 * Who receives the steps of a decision: the tracer and the observer of the request, and those that modules add by `observeDecision`; null for
 * nobody. For modules that decide.
 * @since 2.4.6
 */
export function decisionObserver(request: Request, hooks: OptionalHooks): DecisionTracer | null {
  let all = joined(request.tracer, request.observer)
  for (const observe of hooks.of(observeDecision)) all = joined(all, observe(request))
  return all
}

function joined(one: DecisionTracer | null, other: DecisionTracer | null): DecisionTracer | null {
  if (one === null || other === null) return one ?? other
  return {
    step(request, step) {
      one.step(request, step)
      other.step(request, step)
    },
    evaluated(request, node, status) {
      one.evaluated(request, node, status)
      other.evaluated(request, node, status)
    },
    limited(request, node, status) {
      one.limited(request, node, status)
      other.limited(request, node, status)
    },
  }
}

/** The result of one section alone for a request, regardless of sections that override it. */
export interface SectionOpinion {
  /** The tree of the section alone. */
  readonly root: RequireNode
  /** Its result. */
  readonly status: AuthzStatus
}
