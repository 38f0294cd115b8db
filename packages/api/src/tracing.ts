/**
 * What explanations of access decisions are made of. Import from `@gatewright/api/tracing`.
 * @module tracing
 */

import type { SectionInfo } from './command.ts'
import type { MethodSet } from './methods.ts'
import type { Outcome } from './outcome.ts'
import type { AuthzStatus } from './providers.ts'
import type { Request } from './request.ts'

/** The place of a line of the configuration. */
export interface ConfigPlace {
  /** File of the line. */
  readonly file: string
  /** Its number, from 1. */
  readonly line: number
  /** The enclosing section. */
  readonly section: SectionInfo
}

/**
 * A node of a Require tree as a tracer sees it. `title` is what the decision trail of the error log calls it.
 */
export type RequireNode = RequireLineNode | RequireGroupNode

/** One Require line. */
export interface RequireLineNode {
  /** Distinguishes lines from groups. */
  readonly kind: 'require'
  /** What messages call it. */
  readonly title: string
  /** True after `not`. */
  readonly negated: boolean
  /** Methods of the `<Limit>` around it. */
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
  /** What messages call it. */
  readonly title: string
  /** True for `<RequireNone>`. */
  readonly negated: boolean
  /** Methods of the `<Limit>` around it. */
  readonly methods: MethodSet
  /** Its place. */
  readonly place: ConfigPlace
  /** `all` stops at the first denial, `any` at the first grant. */
  readonly rule: 'all' | 'any'
  /** What is in it, in its order. */
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
  /** True when it fits the client. */
  readonly matches: boolean
}

/** Order, Allow, Deny and Satisfy of one section for the method of a request. */
export interface HostDecision {
  /** The section whose directives they are. */
  readonly section: SectionInfo
  /** False if the section has only Satisfy: then nobody is denied. */
  readonly ruled: boolean
  /** Order, as it was understood. */
  readonly order: 'deny,allow' | 'allow,deny' | 'mutual-failure'
  /** Satisfy, `unset` without one. */
  readonly satisfy: 'all' | 'any' | 'unset'
  /** All words that were looked at. */
  readonly words: readonly HostWordResult[]
  /** What comes of them. */
  readonly allowed: boolean
}

/** The phases of access control, in their order. */
export type AccessPhase = 'accessChecker' | 'accessCheckerEx' | 'forceAuthn' | 'checkUserId' | 'authChecker'

/** One step of a decision. */
export type DecisionStep =
  /**
   * The per-directory configuration is complete: the sections in it, in the order in which they were merged.
   */
  | { readonly kind: 'sections'; readonly sections: readonly SectionInfo[] }
  /** An `<If>`, `<ElseIf>` or `<Else>` section was looked at. */
  | { readonly kind: 'condition'; readonly section: SectionInfo; readonly holds: boolean }
  /**
   * The same sections were decided about for the request that this one belongs to: nothing is checked again.
   */
  | { readonly kind: 'decided before' }
  /**
   * The same sections were decided about, but the request is authorized again, because access functions of
   * some modules decide by request. (2.4.5; a member of a union cannot have tags.)
   */
  | {
      readonly kind: 'decided again'
      /** Their source names. */
      readonly modules: readonly string[]
    }
  | { readonly kind: 'host rules'; readonly decision: HostDecision }
  /** A Require tree was asked; `root` is null where there is none. */
  | {
      readonly kind: 'require'
      readonly moment: 'before authentication' | 'after authentication'
      readonly root: RequireNode | null
      readonly status: AuthzStatus
    }
  /** AccessCompatPrecedence manual: the host rules of a URL section replace this tree of folder sections. */
  | { readonly kind: 'require set aside'; readonly root: RequireNode }
  /** A phase of access control is over. */
  | { readonly kind: 'phase'; readonly phase: AccessPhase; readonly outcome: Outcome }

/**
 * Receives every step of a decision from the code that takes it: the decision is the same with and without a
 * tracer. Normal service has none.
 */
export interface DecisionTracer {
  /** A step was taken. */
  step(request: Request, step: DecisionStep): void
  /**
   * The value of a node of a Require tree, its negation included: children before their container, nothing
   * about what an early stop skips.
   */
  evaluated(request: Request, node: RequireNode, status: AuthzStatus): void
  /**
   * The node was skipped: its methods (`<Limit>`) do not include the request's. `status` is the substitute
   * for its result.
   */
  limited(request: Request, node: RequireNode, status: AuthzStatus): void
}

/** The result of one section alone for a request, regardless of sections that override it. */
export interface SectionOpinion {
  /** The tree of the section alone. */
  readonly root: RequireNode
  /** Its result. */
  readonly status: AuthzStatus
}
