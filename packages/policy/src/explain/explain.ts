import { answeringServer } from '../answering-server.ts'
import type { Explanation, Stage, TlsPart } from '../explanation.ts'
import type { PolicyServer } from '../policy-server.ts'
import type { Question } from '../question.ts'
import { reasonPhrase } from '../reason-phrase.ts'
import { shownQuestion } from '../shown-question.ts'
import { describeStage } from '../stages/stage.ts'
import { findSurprises } from '../surprises/index.ts'
import { findChanges } from './changes.ts'
import { handlingOf, phasesOf, routeOf, whyServerOf } from './route.ts'
import { tlsDemands, tlsPart } from './tls-part.ts'

export interface ExplainOptions {
  /** The same configuration with AccessCompatPrecedence httpd: opened when the two precedences may differ. */
  readonly asHttpd: () => Promise<PolicyServer>
  /** The explanation's remarks about the question itself. */
  readonly notes?: readonly string[]
  /** The status of the request in a log; a note says that the configuration now gives another one. */
  readonly loggedStatus?: number | null
}

/** Explains a decision about a request, made by the server's own code. */
export async function explain(
  server: PolicyServer,
  question: Question,
  { asHttpd, notes = [], loggedStatus = null }: ExplainOptions,
): Promise<Explanation> {
  const reply = await server.ask(question)
  const { response, record, log } = reply
  // What the questions below log and ask does not belong to this request.
  const lines = [...log]
  const asked = [...record.questions]
  const stages: Stage[] = []
  for (const recorded of record.requests) stages.push(await describeStage(server, record, recorded, response.status))
  // Before the questions below are asked.
  const [route, handling, phases] = [routeOf(record), handlingOf(record), phasesOf(record)]
  const tls = tlsPart(server, question, reply)
  const demands = tlsDemands(server, reply)
  const { access, rule } = stages[0] ?? unseen(response.status, tls)
  const main = record.requests[0]
  const first = main?.request ?? record.route[0]?.request
  const surprises =
    main === undefined
      ? []
      : await findSurprises({ server, asHttpd, question, stage: stages[0], recorded: main, status: response.status })
  const changes = main === undefined ? [] : await findChanges(server, question, access, stages, main.request)
  return {
    question: shownQuestion(question),
    status: response.status,
    reason: response.status === 0 ? 'no answer' : reasonPhrase(response),
    access,
    rule,
    answeredBy: first === undefined ? null : answeringServer(first),
    chosenBecause: whyServerOf(record),
    route,
    handling,
    // Without a handler, the type is that of a built-in page.
    fields: response.headers.filter(([name]) => !ORDINARY.test(name) && (handling !== null || !/^content-type$/i.test(name))),
    phases,
    tls,
    tlsDemands: demands,
    notes: [...notes, ...changedSince(loggedStatus, response.status)],
    stages,
    headers: response.headers.filter(([name]) => /^(www-authenticate|location)$/i.test(name)),
    asked,
    log: lines,
    surprises,
    changes,
  }
}

/** Fields of every response, and those that are shown elsewhere. */
const ORDINARY =
  /^(?:accept-ranges|allow|connection|content-length|date|etag|keep-alive|last-modified|location|server|transfer-encoding|www-authenticate)$/i

function changedSince(logged: number | null, now: number): string[] {
  if (logged === null || logged === now) return []
  // Conditions and ranges of the request are not in the log.
  if (now === 200 && (logged === 304 || logged === 206)) return []
  return [
    `the log has status ${logged}, and the answer now is ${now}: the configuration or the files have changed, or the line lacks something that matters, such as a cookie or the password`,
  ]
}

/** A request for which no phase was recorded: it was malformed, or a .htaccess file is. */
function unseen(status: number, tls: TlsPart | null): Pick<Explanation, 'access' | 'rule'> {
  if (status === 0) {
    const text = `The connection ended before a request was answered: ${tls?.failure ?? 'the server closed it'}.`
    return { access: 'not reached', rule: { name: 'answered earlier', text } }
  }
  return {
    access: 'not reached',
    rule: { name: 'answered earlier', text: `The request was answered with ${status} before access control ran.` },
  }
}
