import type { SectionKind } from '@gatewright/api'
import type { AnsweringServer } from './answering-server.ts'
import type { LoggedLine } from './policy-server.ts'
import type { Question } from './question.ts'

/** A line of the configuration. Line 0 is a whole file. */
export interface Place {
  readonly file: string
  readonly line: number
}

/**
 * A value of the three-valued logic; `not asked` after an early stop, `other methods` if `<Limit>` excludes a
 * node.
 */
export type NodeVerdict = 'granted' | 'denied' | 'needs a user' | 'neutral' | 'error' | 'not asked'

/** A Require line or container with its verdict. */
export interface TreeNode {
  /** `Require ip 10.0.0.0/8`, `<RequireAll>`. */
  readonly title: string
  readonly negated: boolean
  /** The provider's name and argument of a Require line; null for a container. */
  readonly line: { readonly provider: string; readonly argument: string } | null
  readonly place: Place
  readonly verdict: NodeVerdict
  /**
   * True if the methods of an enclosing `<Limit>` do not include the request's method: its verdict is only a
   * substitute.
   */
  readonly otherMethods: boolean
  readonly children: readonly TreeNode[]
}

/** Order, Allow, Deny and Satisfy of one section. */
export interface HostRulesPart {
  readonly order: string
  readonly satisfy: 'all' | 'any' | 'unset'
  /** False if there is only Satisfy, which denies no one. */
  readonly ruled: boolean
  readonly words: readonly {
    readonly list: 'Allow' | 'Deny'
    readonly word: string
    readonly place: Place
    readonly matches: boolean
  }[]
  readonly allowed: boolean
}

/** A section that applies to the request, with its own access rules. */
export interface SectionPart {
  readonly kind: SectionKind
  readonly title: string
  readonly place: Place
  readonly hostRules: (HostRulesPart & { readonly inForce: boolean }) | null
  readonly require: { readonly tree: TreeNode; readonly inForce: boolean } | null
}

/** One evaluation of a Require tree. */
export interface RequireAnswer {
  readonly moment: 'before authentication' | 'after authentication'
  readonly verdict: NodeVerdict
  /** null where no Require applies. */
  readonly tree: TreeNode | null
}

/** The result of access control. */
export type Access =
  | 'granted'
  /** 403: other credentials would not help. */
  | 'refused'
  /** 401: the client must send credentials, or other ones. */
  | 'challenged'
  /** 500 and the like: access control could not decide, so nothing is served. */
  | 'failed'
  /** Answered before access control. */
  | 'not reached'

/** The rule that decided. */
export type RuleName =
  | 'answered earlier'
  | 'decided before'
  | 'nothing applies'
  | 'AuthType without Require'
  | 'host rules refuse'
  | 'a module refuses'
  | 'satisfy any: host rules admit'
  | 'host rules stand alone'
  | 'require grants'
  | 'require denies'
  | 'authentication'
  | 'error'

export interface Rule {
  readonly name: RuleName
  readonly text: string
}

/** A request, or another one that it caused: a sub-request for a candidate file, an internal redirect. */
export interface Stage {
  readonly kind: 'request' | 'sub-request' | 'redirect'
  readonly uri: string
  readonly filename: string | null
  readonly user: string | null
  readonly authType: string | null
  readonly conditions: readonly { readonly title: string; readonly place: Place; readonly holds: boolean }[]
  readonly sections: readonly SectionPart[]
  readonly answers: readonly RequireAnswer[]
  readonly access: Access
  readonly rule: Rule
  /**
   * Modules that decide by request, if this alone is why the request was authorized again although the
   * preceding one has the same sections; otherwise empty.
   */
  readonly againBecauseOf: readonly string[]
}

/** A property of the configuration that is easily misunderstood. */
export interface Surprise {
  readonly name: string
  readonly text: string
  readonly places: readonly Place[]
}

/** A certificate, for people. */
export interface CertificatePart {
  /** `CN=www.example.org`; the common name, or the whole subject. */
  readonly subject: string
  readonly issuer: string
  /** ISO 8601. */
  readonly notBefore: string
  readonly notAfter: string
  /** Where it is from, if that is known. */
  readonly file: string | null
}

/** The TLS connection of the request. */
export interface TlsPart {
  /** The name in the ClientHello; null if none was sent. */
  readonly serverName: string | null
  /** The virtual host that the name has chosen, or the first one of the address; null for the main server. */
  readonly host: { readonly name: string; readonly place: Place | null }
  /** `TLSv1.3`; '' without a handshake that succeeded. */
  readonly protocol: string
  readonly cipher: string
  /** What the server sent. */
  readonly serverCertificate: CertificatePart | null
  /** SSLVerifyClient of the host; null if its connections are in the clear. */
  readonly asks: 'none' | 'optional' | 'require' | 'optional_no_ca' | null
  readonly depth: number
  /** What the client has. */
  readonly clientCertificate: CertificatePart | null
  /** `ok`, or why the certificate that the client sent is not trusted; null if the server has none. */
  readonly verification: string | null
  /** Why there is no answer. */
  readonly failure: string
}

/** A line of a section that makes a request depend on its connection. */
export interface TlsDemand {
  readonly line: string
  readonly place: Place
}

/** A request that differs in one or two respects and has the opposite decision. */
export interface Change {
  readonly client?: string
  readonly user?: string | null
  readonly method?: string
  readonly access: Access
  readonly status: number
  readonly curl: string
}

/** A line of the configuration that changed the request or its response. */
export interface RoutePart {
  /** As written; the name of the directive for a default, or of a module that reports no lines. */
  readonly line: string
  readonly place: Place | null
  /** The end of a sentence: `maps /a to /srv/a`. */
  readonly effect: string
  readonly of: Stage['kind']
}

/** What generates the response. */
export interface Handling {
  /** `default-handler` for a file, or the name from SetHandler, AddHandler and the like. */
  readonly name: string
  /** Null for a program that was not asked. */
  readonly module: string | null
  /** False for a program, such as a backend or PHP: it is not started, so status and fields of its response are unknown. */
  readonly isRun: boolean
}

/** A function of a phase that did something. */
export interface PhaseStep {
  readonly phase: string
  readonly module: string
  /** 0 for OK, -2 for DONE, else the status. */
  readonly outcome: number
  /** The request's properties after it. */
  readonly uri: string
  readonly filename: string
  readonly handler: string | null
  readonly of: Stage['kind']
}

/** What a decision depends on, and another server knows. */
export interface AskedQuestion {
  /** Who was asked. */
  readonly of: string
  /** Without secrets. */
  readonly question: string
  /** Null if nobody was asked. */
  readonly answer: string | null
}

/** Everything about one decision, as plain data. */
export interface Explanation {
  readonly question: Question
  readonly status: number
  readonly reason: string
  readonly access: Access
  readonly rule: Rule
  /** The virtual host that answered; null when the request was refused before one was chosen. */
  readonly answeredBy: AnsweringServer | null
  /** Why that server was chosen; '' with `answeredBy` null. */
  readonly chosenBecause: string
  /** Lines that changed the request or its response, in the order in which they acted. */
  readonly route: readonly RoutePart[]
  /** Null if the request ended before. */
  readonly handling: Handling | null
  /** Fields of the response that the configuration or a module sets, without those of every response. */
  readonly fields: readonly (readonly [string, string])[]
  /** Every phase in which a module acted. */
  readonly phases: readonly PhaseStep[]
  /** Null for a request in the clear. */
  readonly tls: TlsPart | null
  /** Lines about TLS in the sections that apply, other than Require. */
  readonly tlsDemands: readonly TlsDemand[]
  /** What differs from the question, such as the port. */
  readonly notes: readonly string[]
  /** The request first. */
  readonly stages: readonly Stage[]
  /** WWW-Authenticate and Location, if the answer has them. */
  readonly headers: readonly (readonly [string, string])[]
  /** What directories, databases and authorizers were asked, in order. */
  readonly asked: readonly AskedQuestion[]
  readonly log: readonly LoggedLine[]
  readonly surprises: readonly Surprise[]
  readonly changes: readonly Change[]
}
