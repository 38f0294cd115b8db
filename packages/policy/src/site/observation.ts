import type { SectionInfo } from '@gatewright/api'
import type { Stage } from '../explanation.ts'
import type { PolicyServer, Reply } from '../policy-server.ts'
import type { Question } from '../question.ts'
import type { RecordedRequest } from '../recorder.ts'
import { describeStage } from '../stages/stage.ts'

/** A decided request, and the access rules of each section that applied. */
export interface Observation {
  readonly question: Question
  readonly status: number
  /** The stage of the request itself, not of the requests that it caused. */
  readonly stage: Stage
  readonly recorded: RecordedRequest
}

/** The sections that applied, as objects of the server. */
export function sectionsOf({ recorded }: Observation): readonly SectionInfo[] {
  return recorded.steps.flatMap(({ step }) => (step.kind === 'sections' ? step.sections : []))
}

/** @returns null for a request that did not reach access control */
export async function observe(server: PolicyServer, question: Question): Promise<Observation | null> {
  return observed(server, question, await server.ask(question))
}

/** The same for a question that was already asked. */
export async function observed(
  server: PolicyServer,
  question: Question,
  { response, record }: Reply,
): Promise<Observation | null> {
  const [main] = record.requests
  if (main === undefined) return null
  const stage = await describeStage(server, record, main, response.status)
  const { status } = response
  // Access control may grant a request that is denied later: if authentication is not configured, or if a
  // folder has no listing.
  const isKeptOut = stage.access === 'granted' && (KEPT_OUT.has(status) || status >= 500)
  return { question, status, stage: isKeptOut ? { ...stage, access: 'failed' } : stage, recorded: main }
}

const KEPT_OUT: ReadonlySet<number> = new Set([401, 403, 407])
