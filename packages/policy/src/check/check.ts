import { type ExplainOptions, explain } from '../explain/explain.ts'
import { describeStage } from '../explain/stage.ts'
import type { Stage } from '../explanation.ts'
import type { PolicyServer, Reply } from '../policy-server.ts'
import type { Question } from '../question.ts'
import { explanationText } from '../render/explanation-text.ts'
import { NO_COLOURS } from '../render/palette.ts'
import { placeTextBelow } from '../render/place-text.ts'
import { answerOf, answerText, expectedText, isExpected } from './answer.ts'
import type { CheckResult } from './check-report.ts'
import { decidedBy } from './decided-by.ts'
import { type Expectation, type ExpectedRequest, expectationText } from './expectation.ts'

export interface CheckOptions {
  /** Paths below it are shown relative to it. */
  readonly folder: string
  /** What explanations need, where each failure is to have a whole one; null where a line will do. */
  readonly explained: ExplainOptions | null
}

/** Asks a server everything that is expected of it, in order. */
export async function check(
  server: PolicyServer,
  expectations: readonly Expectation[],
  options: CheckOptions,
): Promise<CheckResult[]> {
  const results: CheckResult[] = []
  for (const expectation of expectations) results.push(await checkOne(server, expectation, options))
  return results
}

/** The request as it is sent: a client comes to an address of its own family. */
export function questionOf({ port, ...request }: ExpectedRequest, { firstPort }: PolicyServer): Question {
  return {
    ...request,
    localAddress: request.client.includes(':') ? '::1' : '127.0.0.1',
    localPort: port ?? firstPort,
  }
}

async function checkOne(
  server: PolicyServer,
  expectation: Expectation,
  { folder, explained }: CheckOptions,
): Promise<CheckResult> {
  const question = questionOf(expectation.request, server)
  const reply = await server.ask(question)
  const answer = answerOf(reply.response)
  const passed = isExpected(answer, expectation, question)
  return {
    kind: 'expectation',
    title: expectationText(expectation),
    passed,
    place: expectation.place,
    expected: expectedText(expectation),
    actual: answerText(answer),
    reason: passed ? '' : await reasonOf(server, reply, folder),
    explanation:
      passed || explained === null
        ? null
        : explanationText(await explain(server, question, explained), { palette: NO_COLOURS, folder }).trimEnd(),
  }
}

/** What decided, with its place, in one line. */
async function reasonOf(server: PolicyServer, { record, response, log }: Reply, folder: string): Promise<string> {
  // Lines of what is asked below are not of this request.
  const lines = [...log]
  const stages: Stage[] = []
  for (const recorded of record.requests) stages.push(await describeStage(server, record, recorded, response.status))
  const { text, place } = decidedBy(stages, response.status, lines)
  return place === null ? text : `${text} (${placeTextBelow(folder)(place)})`
}
