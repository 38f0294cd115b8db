import type { Request } from '@gatewright/api'
import { curlCommand } from '../curl-command.ts'
import type { Access, Change, Stage } from '../explanation.ts'
import type { PolicyServer } from '../policy-server.ts'
import type { Question } from '../question.ts'
import { candidateClients, clientWords } from '../stages/candidate-clients.ts'
import { decisionOf } from '../stages/decision.ts'
import { candidateUsers } from './candidate-users.ts'

/** Maximum number of questions, for all kinds of change together. */
const MAX_QUESTIONS = 300
const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS']

/**
 * The smallest changes of a request that reverse a decision: another client, other credentials, another
 * method, each alone; if none of them does, a client together with a user. Found by asking the server.
 */
export async function findChanges(
  server: PolicyServer,
  question: Question,
  access: Access,
  stages: readonly Stage[],
  request: Request,
): Promise<Change[]> {
  const search = new Search(server, question, access === 'granted')
  const clients = candidateClients(stages, question.client, await addressesOf(server, stages))
  const users = candidateUsers(server, request, stages)
  const logins = [
    ...(question.credentials === null ? [] : [null]),
    ...users.filter((name) => isOther(name, question.credentials)),
  ]
  const found = [
    await search.first(clients.map((client) => ({ client }))),
    await search.first(logins.map((user) => ({ user }))),
    await search.first(METHODS.filter((method) => method !== question.method).map((method) => ({ method }))),
  ].filter((change) => change !== null)
  if (found.length > 0) return found
  const pair = await search.first(clients.flatMap((client) => logins.map((user) => ({ client, user }))))
  return pair === null ? [] : [pair]
}

interface Difference {
  readonly client?: string
  readonly user?: string | null
  readonly method?: string
}

class Search {
  readonly #server: PolicyServer
  readonly #question: Question
  readonly #wasGranted: boolean
  #left = MAX_QUESTIONS

  constructor(server: PolicyServer, question: Question, wasGranted: boolean) {
    this.#server = server
    this.#question = question
    this.#wasGranted = wasGranted
  }

  /** The first difference that turns the decision round. */
  async first(differences: readonly Difference[]): Promise<Change | null> {
    for (const difference of differences) {
      if (this.#left-- <= 0) return null
      const question = changed(this.#question, difference)
      const { response, record } = await this.#server.ask(question)
      const [main] = record.requests
      if (main === undefined) continue
      const { access } = decisionOf(main, response.status)
      if (access === 'not reached' || access === 'failed' || (access === 'granted') === this.#wasGranted) continue
      return { ...difference, access, status: response.status, curl: curlCommand(question) }
    }
    return null
  }
}

function changed(question: Question, { client, user, method }: Difference): Question {
  return {
    ...question,
    client: client ?? question.client,
    method: method ?? question.method,
    credentials: user === undefined ? question.credentials : user === null ? null : { user, password: null },
  }
}

/** The addresses of the host names in the rules. */
async function addressesOf(server: PolicyServer, stages: readonly Stage[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const names = clientWords(stages)
    .filter((word) => /^\w[\w.-]*[a-z][\w.-]*$/i.test(word))
    .slice(0, 8)
  return new Map(await Promise.all(names.map(async (name) => [name, await server.addressesOf(name).catch(() => [])] as const)))
}

/** A user with the correct password is a different login from the same user with a given password. */
function isOther(name: string, given: Question['credentials']): boolean {
  return name !== given?.user || given.password !== null
}
