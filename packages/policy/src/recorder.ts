import type { AuthzStatus, DecisionStep, DecisionTracer, Request, RequireNode } from '@gatewright/api'

/** What became of a node that was asked. */
export interface NodeValue {
  readonly status: AuthzStatus
  /** Passed over because of its methods. */
  readonly limited: boolean
}

export type NodeValues = ReadonlyMap<RequireNode, NodeValue>

/** A step, with the values of the tree that it tells of. */
export interface RecordedStep {
  readonly step: DecisionStep
  readonly values: NodeValues
}

/** What happened to one request, sub-request or redirect. */
export interface RecordedRequest {
  readonly request: Request
  /** When it was decided about: a handler may have put another one in its place since. */
  uri: string
  filename: string
  readonly steps: RecordedStep[]
}

/** Keeps everything that a tracer is told, by request, in order. */
export class Recorder implements DecisionTracer {
  readonly requests: RecordedRequest[] = []
  private values = new Map<RequireNode, NodeValue>()

  step(request: Request, step: DecisionStep): void {
    const recorded = this.of(request)
    if (step.kind === 'sections') {
      recorded.uri = request.uri
      recorded.filename = request.filename
    }
    recorded.steps.push({ step, values: this.takeValues() })
  }

  evaluated(_request: Request, node: RequireNode, status: AuthzStatus): void {
    this.values.set(node, { status, limited: false })
  }

  limited(_request: Request, node: RequireNode, status: AuthzStatus): void {
    this.values.set(node, { status, limited: true })
  }

  /** The values of what was evaluated since they were taken last. */
  takeValues(): NodeValues {
    const { values } = this
    this.values = new Map()
    return values
  }

  private of(request: Request): RecordedRequest {
    let found = this.requests.find((one) => one.request === request)
    if (found === undefined) {
      found = { request, uri: request.uri, filename: request.filename, steps: [] }
      this.requests.push(found)
    }
    return found
  }
}
