import type { PolicyServer } from '../policy-server.ts'
import type { Question } from '../question.ts'
import { candidateClients } from '../stages/candidate-clients.ts'
import { decisionOf } from '../stages/decision.ts'
import { describeStage } from '../stages/stage.ts'
import type { Who, WhoRow } from '../who-table.ts'
import { candidateUsers } from './candidate-users.ts'

/** More columns do not fit a terminal. */
const MOST_CLIENTS = 8

/**
 * Asks a question for every client and user that the rules distinguish. Users have the correct password. Rules about
 * other properties of a request are decided for the question as it is.
 */
export async function whoGetsIn(server: PolicyServer, question: Question): Promise<Who> {
  const first = await server.ask({ ...question, credentials: null })
  const stages = []
  for (const recorded of first.record.requests)
    stages.push(await describeStage(server, first.record, recorded, first.response.status))
  const main = first.record.requests[0]
  const clients = [question.client, ...candidateClients(stages, question.client, new Map())].slice(0, MOST_CLIENTS)
  const users = [null, ...(main === undefined ? [] : candidateUsers(server, main.request, stages))]
  const rows: WhoRow[] = []
  for (const user of users) {
    const answers: WhoRow['answers'][number][] = []
    for (const client of clients) {
      const credentials = user === null ? null : { user, password: null }
      const { response, record } = await server.ask({ ...question, client, credentials })
      const [asked] = record.requests
      const access = asked === undefined ? 'not reached' : decisionOf(asked, response.status).access
      answers.push({ status: response.status, access })
    }
    rows.push({ user, answers })
  }
  return { method: question.method, target: question.target, clients, rows }
}
