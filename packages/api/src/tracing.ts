import type { SectionInfo } from './command.ts'
import type { MethodSet } from './methods.ts'
import type { Outcome } from './outcome.ts'
import type { AuthzStatus } from './providers.ts'
import type { Request } from './request.ts'

/** Where a line of the configuration stands. */
export interface ConfigPlace {
  readonly file: string
  readonly line: number
  readonly section: SectionInfo
}

/** A node of a Require tree as a tracer sees it. `title` is what the decision trail of the error log calls it. */
export type RequireNode = RequireLineNode | RequireGroupNode

export interface RequireLineNode {
  readonly kind: 'require'
  readonly title: string
  readonly negated: boolean
  /** Methods of the `<Limit>` around it. */
  readonly methods: MethodSet
  readonly place: ConfigPlace
  /** The provider's name and what stands behind it, as written. */
  readonly line: { readonly provider: string; readonly argument: string }
}

export interface RequireGroupNode {
  readonly kind: 'group'
  readonly title: string
  readonly negated: boolean
  readonly methods: MethodSet
  readonly place: ConfigPlace
  /** `all` stops at the first denial, `any` at the first grant. */
  readonly rule: 'all' | 'any'
  readonly children: readonly RequireNode[]
}

/** One word behind `Allow from` or `Deny from`, and whether it fits the client. */
export interface HostWordResult {
  readonly list: 'Allow' | 'Deny'
  readonly word: string
  readonly file: string
  readonly line: number
  readonly matches: boolean
}

/** What Order, Allow, Deny and Satisfy of one section say for the method of a request. */
export interface HostDecision {
  readonly section: SectionInfo
  /** False when only Satisfy stands there: nobody is refused then. */
  readonly ruled: boolean
  readonly order: 'deny,allow' | 'allow,deny' | 'mutual-failure'
  readonly satisfy: 'all' | 'any' | 'unset'
  readonly words: readonly HostWordResult[]
  readonly allowed: boolean
}

/** The phases of access control, in their order. */
export type AccessPhase = 'accessChecker' | 'accessCheckerEx' | 'forceAuthn' | 'checkUserId' | 'authChecker'

/** One step of a decision. */
export type DecisionStep =
  /** The per-directory configuration is complete: the sections in it, in the order in which they were merged. */
  | { readonly kind: 'sections'; readonly sections: readonly SectionInfo[] }
  /** An `<If>`, `<ElseIf>` or `<Else>` section was looked at. */
  | { readonly kind: 'condition'; readonly section: SectionInfo; readonly holds: boolean }
  /** The same sections were decided about for the request that this one belongs to: nothing is checked again. */
  | { readonly kind: 'decided before' }
  | { readonly kind: 'host rules'; readonly decision: HostDecision }
  /** A Require tree was asked; `root` is null where there is none. */
  | {
      readonly kind: 'require'
      readonly moment: 'before authentication' | 'after authentication'
      readonly root: RequireNode | null
      readonly status: AuthzStatus
    }
  /** AccessCompatPrecedence manual: the host rules of a more specific section stand in for this tree. */
  | { readonly kind: 'require set aside'; readonly root: RequireNode }
  /** A phase of access control is over. */
  | { readonly kind: 'phase'; readonly phase: AccessPhase; readonly outcome: Outcome }

/**
 * Is told every step of a decision as it is taken, by the code that takes it: the decision is the same with and without one. Serving has none.
 */
export interface DecisionTracer {
  step(request: Request, step: DecisionStep): void
  /** The value of a node of a Require tree, its negation included: children before their container, nothing about what an early stop skips. */
  evaluated(request: Request, node: RequireNode, status: AuthzStatus): void
  /** The node was passed over: its methods (`<Limit>`) do not include the request's. `status` is what stands in for it. */
  limited(request: Request, node: RequireNode, status: AuthzStatus): void
}

/** What one section says by itself about a request, whatever overrides it. */
export interface SectionOpinion {
  readonly root: RequireNode
  readonly status: AuthzStatus
}
