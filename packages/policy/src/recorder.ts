import type { AuthzStatus, Request } from '@gatewright/api'
import type { DecisionStep, DecisionTracer, RequireNode } from '@gatewright/api/tracing'
import type { AskedQuestion } from './explanation.ts'

/** The result of an evaluated node. */
export interface NodeValue {
  readonly status: AuthzStatus
  /** Passed over because of its methods. */
  readonly limited: boolean
}

export type NodeValues = ReadonlyMap<RequireNode, NodeValue>

/** A step, with the values of the tree that it concerns. */
export interface RecordedStep {
  readonly step: DecisionStep
  readonly values: NodeValues
}

/** What happened to one request, sub-request or redirect. */
export interface RecordedRequest {
  readonly request: Request
  /** At the time of the decision: a handler may have replaced it since. */
  uri: string
  filename: string
  readonly steps: RecordedStep[]
}

/** Whether other servers, such as directories and databases, are asked. */
export type Reach = 'online' | 'offline'

/** A step on the way to the response, of the phases before and after access control too. */
export interface RouteStep {
  readonly request: Request
  readonly step: Extract<DecisionStep, { kind: 'server' | 'directive' | 'hook' | 'handler' }>
  /** The request's properties after the step. */
  readonly uri: string
  readonly filename: string
  readonly handler: string | null
  readonly status: number
}

/** Records everything that is reported to a tracer, by request, in order. */
export class Recorder implements DecisionTracer {
  readonly isOffline: boolean
  readonly assumedPassword: string
  /** What other servers were asked, in order. */
  readonly questions: AskedQuestion[] = []
  readonly requests: RecordedRequest[] = []
  readonly route: RouteStep[] = []
  /** Stored by request, because an expression may start a sub-request while a tree is evaluated. */
  readonly #values = new Map<Request, Map<RequireNode, NodeValue>>()

  /**
   * @param reach `offline` if no other server may be asked
   * @param assumedPassword see {@link DecisionTracer.assumedPassword}
   */
  constructor(reach: Reach, assumedPassword: string) {
    this.isOffline = reach === 'offline'
    this.assumedPassword = assumedPassword
  }

  step(request: Request, step: DecisionStep): void {
    if (step.kind === 'question') {
      const { of, question, answer } = step
      this.questions.push({ of, question, answer })
      return
    }
    if (step.kind === 'server' || step.kind === 'directive' || step.kind === 'hook' || step.kind === 'handler') {
      const { uri, filename, handler, status } = request
      this.route.push({ request, step, uri, filename, handler, status })
      return
    }
    const recorded = this.#of(request)
    if (step.kind === 'sections') {
      recorded.uri = request.uri
      recorded.filename = request.filename
    }
    recorded.steps.push({ step, values: this.takeValues(request) })
  }

  evaluated(request: Request, node: RequireNode, status: AuthzStatus): void {
    this.#keep(request, node, { status, limited: false })
  }

  limited(request: Request, node: RequireNode, status: AuthzStatus): void {
    this.#keep(request, node, { status, limited: true })
  }

  /** The values that were evaluated for a request since the last call. */
  takeValues(request: Request): NodeValues {
    const values = this.#values.get(request)
    this.#values.delete(request)
    return values ?? new Map()
  }

  #keep(request: Request, node: RequireNode, value: NodeValue): void {
    const values = this.#values.get(request)
    if (values === undefined) this.#values.set(request, new Map([[node, value]]))
    else values.set(node, value)
  }

  #of(request: Request): RecordedRequest {
    let found = this.requests.find((one) => one.request === request)
    if (found === undefined) {
      found = { request, uri: request.uri, filename: request.filename, steps: [] }
      this.requests.push(found)
    }
    return found
  }
}
