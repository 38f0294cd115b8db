import { answeringServer } from '../answering-server.ts'
import { type ExplainOptions, explain } from '../explain/explain.ts'
import type { Stage } from '../explanation.ts'
import { placeTextBelow } from '../place-text.ts'
import type { PolicyServer, Reply } from '../policy-server.ts'
import type { Question } from '../question.ts'
import { explanationText } from '../render/explanation-text.ts'
import { NO_COLOURS } from '../render/palette.ts'
import { describeStage } from '../stages/stage.ts'
import { answerOf, answerText, expectedText, isExpected } from './answer.ts'
import type { CheckResult } from './check-report.ts'
import { decidedBy } from './decided-by.ts'
import { type Expectation, type ExpectedRequest, expectationText } from './expectation.ts'

export interface CheckOptions {
  /** Paths below it are shown relative to it. */
  readonly folder: string
  /** The input for complete explanations of failures; null if one line is sufficient. */
  readonly explained: ExplainOptions | null
}

/** Checks everything that is expected of a server, in order. */
export async function check(
  server: PolicyServer,
  expectations: readonly Expectation[],
  options: CheckOptions,
): Promise<CheckResult[]> {
  const results: CheckResult[] = []
  for (const expectation of expectations) results.push(await checkOne(server, expectation, options))
  return results
}

/** The request as sent, or what the expectation must specify to make it possible. */
export function questionOf(
  { port, isPortWritten, ...request }: ExpectedRequest,
  server: PolicyServer,
): { readonly question: Question; readonly note: string } | { readonly complaint: string } {
  const end = server.localEnd({ address: null, port, isPortWritten, client: request.client })
  if ('complaint' in end) return end
  // A request without a host is answered by the server's first port, which every report names.
  return { question: { ...request, localAddress: end.address, localPort: end.port }, note: port === null ? '' : end.note }
}

async function checkOne(
  server: PolicyServer,
  expectation: Expectation,
  { folder, explained }: CheckOptions,
): Promise<CheckResult> {
  const asked = questionOf(expectation.request, server)
  const common = {
    kind: 'expectation',
    title: expectationText(expectation),
    place: expectation.place,
    expected: expectedText(expectation),
  } as const
  if ('complaint' in asked)
    return {
      ...common,
      passed: false,
      actual: 'not asked',
      answeredBy: null,
      note: '',
      reason: asked.complaint,
      explanation: null,
    }
  const { question, note } = asked
  const reply = await server.ask(question)
  const answer = answerOf(reply.response)
  const passed = isExpected(answer, expectation, question)
  const [main] = reply.record.requests
  return {
    ...common,
    passed,
    actual: answerText(answer),
    answeredBy: main === undefined ? null : answeringServer(main.request),
    note,
    reason: passed ? '' : await reasonOf(server, reply, folder),
    explanation:
      passed || explained === null
        ? null
        : explanationText(await explain(server, question, { ...explained, notes: note === '' ? [] : [note] }), {
            palette: NO_COLOURS,
            folder,
          }).trimEnd(),
  }
}

/** The deciding rule with its place, in one line. */
async function reasonOf(server: PolicyServer, { record, response, log }: Reply, folder: string): Promise<string> {
  // Lines logged by the questions below do not belong to this request.
  const lines = [...log]
  const stages: Stage[] = []
  for (const recorded of record.requests) stages.push(await describeStage(server, record, recorded, response.status))
  const { text, place } = decidedBy(stages, response.status, lines)
  return place === null ? text : `${text} (${placeTextBelow(folder)(place)})`
}
