import { type AuthzCheck, type AuthzProvider, MethodSet } from '@gatewright/api'
import type { ConfigPlace } from '@gatewright/api/tracing'

/** How a container combines its children: `all` stops at the first denial, `any` at the first grant. */
export type Rule = 'all' | 'any'

/** A node of a Require tree. `title` is its name in the decision trail. */
export type DecisionNode = RequireTerm | Group

/** The contents of a Require line, before it becomes a node. */
export interface RequireLine {
  readonly negated: boolean
  readonly provider: string
  /** As written, after the provider's name. */
  readonly argument: string
  /** Methods of the `<Limit>` around it. */
  readonly methods: MethodSet
  readonly check: AuthzCheck
  /** The provider that made the check, null if no line did. */
  readonly source: AuthzProvider | null
  /** True for a check that depends only on the client's host: all, ip, host, forward-dns, local. */
  readonly hostOnly: boolean
  /** The source name of the module that has the provider; undefined if it is not known. */
  readonly owner?: string
  readonly place: ConfigPlace
}

/** One Require line. */
export class RequireTerm {
  readonly kind = 'require'
  readonly title: string
  readonly negated: boolean
  readonly methods: MethodSet
  readonly hostOnly: boolean
  readonly place: ConfigPlace
  readonly check: AuthzCheck
  readonly line: RequireLine

  constructor(line: RequireLine) {
    this.title = `Require ${line.negated ? 'not ' : ''}${line.provider} ${line.argument}`
    this.negated = line.negated
    this.methods = line.methods
    this.hostOnly = line.hostOnly
    this.place = line.place
    this.check = line.check
    this.line = line
  }

  /** The line and its module, for messages. */
  get description(): string {
    const { file, line } = this.place
    const { owner } = this.line
    return `'${this.title.trim()}' (${file}:${line})${owner === undefined ? '' : `, a provider of ${owner}`}`
  }

  negation(): RequireTerm {
    return new RequireTerm({ ...this.line, negated: !this.negated })
  }
}

/** The properties of a container, apart from its children. */
export interface GroupShape {
  readonly rule: Rule
  readonly negated: boolean
  readonly place: ConfigPlace
  /** Its name in the trail, unless that follows from rule and negation. */
  readonly title?: string
}

/**
 * A container, the implicit one of a section, or one made by AuthMerging. Children are added while the
 * section is read; its methods are those of any child.
 */
export class Group {
  readonly kind = 'group'
  readonly title: string
  readonly rule: Rule
  readonly negated: boolean
  readonly place: ConfigPlace
  readonly children: DecisionNode[] = []
  /** The result of `joinedChildren`; null until it is computed. */
  joined: readonly DecisionNode[] | null = null
  /** The result of `providersOf`; null until it is computed. */
  providers: string | null = null
  methods: MethodSet = MethodSet.NONE
  hostOnly = true

  constructor({ rule, negated, place, title }: GroupShape) {
    this.title = title ?? groupTitle(rule, negated)
    this.rule = rule
    this.negated = negated
    this.place = place
  }

  add(child: DecisionNode): void {
    this.children.push(child)
    this.joined = null
    this.providers = null
    this.methods = this.methods.union(child.methods)
    this.hostOnly &&= child.hostOnly
  }

  negation(): Group {
    return this.with(this.children, !this.negated)
  }

  /** The same container with other children. */
  with(children: readonly DecisionNode[], negated: boolean = this.negated): Group {
    const copy = new Group({
      rule: this.rule,
      negated,
      place: this.place,
      ...(negated === this.negated && { title: this.title }),
    })
    for (const child of children) copy.add(child)
    return copy
  }
}

/** RequireNotAll cannot be written; it appears where a RequireAll is negated by the RequireNone around it. */
function groupTitle(rule: Rule, negated: boolean): string {
  if (rule === 'all') return negated ? '<RequireNotAll>' : '<RequireAll>'
  return negated ? '<RequireNone>' : '<RequireAny>'
}
