import { createPrivateKey } from 'node:crypto'
import { createInterface } from 'node:readline'
import {
  AcmeFailure,
  AcmeSession,
  HttpsClient,
  type OrderEvents,
  obtainCertificate,
  openAccount,
  readDirectory,
  renewalWindow,
} from '@gatewright/acme'
import type { ChallengeMessage, Done, FromProcess, Reach, Task } from './messages.ts'

/**
 * The process that speaks with a CA: it reads a task from standard input, asks its parent to answer challenges, and
 * writes the result to standard output. It needs no files, and has the key of an account only.
 */
export async function runAcmeProcess(): Promise<void> {
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
  const first = await lines.next()
  if (first.done === true) return
  const task: Task = JSON.parse(first.value)
  const answers = new Answers()
  void answers.readFrom(lines)
  const client = new HttpsClient(optionsOf(task.reach))
  try {
    if (task.kind === 'obtain') await obtain(task, client, answers)
    else await askWindow(task, client)
  } catch (error) {
    const failure = error instanceof AcmeFailure ? error : new AcmeFailure(error instanceof Error ? error.message : String(error))
    say({ type: 'failed', message: failure.message, problem: failure.problem, retryAfter: failure.retryAfter })
  }
  client.close()
  process.stdin.destroy()
}

async function obtain(task: Extract<Task, { kind: 'obtain' }>, client: HttpsClient, answers: Answers): Promise<void> {
  const { reach, account, order } = task
  const directory = await readDirectory(client, reach.directory)
  const session = new AcmeSession(client, directory, createPrivateKey(account.key))
  if (account.url === '') say({ type: 'progress', text: `Creating new ACME account for ${order.domains[0]}` })
  const { url, orders, registration, isNew } = await openAccount(session, account)
  say({ type: 'account', url, orders, registration, isNew })
  const { profile, profileMandatory, replaces } = order
  const hasProfile = profile !== undefined && directory.profiles.includes(profile)
  if (profile !== undefined && !hasProfile) {
    if (profileMandatory) throw new AcmeFailure(`${order.domains[0]}: mandatory ACME profile '${profile}' is not offered by CA`)
    say({ type: 'progress', text: `ACME profile '${profile}' is not offered by CA, continuing without` })
  }
  const replaced = directory.renewalInfo === '' ? undefined : replaces
  say({
    type: 'progress',
    text: `Creating new order, profile=${hasProfile ? profile : 'none'}, replacing-cert=${replaced ?? 'none'}`,
  })
  const plan = {
    domains: order.domains,
    csr: Buffer.from(order.csr, 'base64'),
    challengesFor: (domain: string) => order.challenges[domain] ?? [],
    ...(hasProfile && { profile }),
    ...(replaced !== undefined && { replaces: replaced }),
  }
  const events: OrderEvents = {
    setUp: (challenge) => answers.ask('setUp', challenge),
    tearDown: (challenge) => answers.ask('tearDown', challenge).catch(() => undefined),
    progress: (text) => say({ type: 'progress', text }),
  }
  say({ type: 'chain', chain: await obtainCertificate(session, plan, events) })
}

/** The earliest of the windows of several certificates. */
async function askWindow({ reach, ids }: Extract<Task, { kind: 'renewal-info' }>, client: HttpsClient): Promise<void> {
  const directory = await readDirectory(client, reach.directory)
  const windows = []
  for (const id of ids) {
    const found = await renewalWindow(client, directory, id)
    if (found !== null) windows.push(found)
  }
  windows.sort((one, other) => one.start - other.start)
  say({ type: 'window', window: windows[0] ?? null })
}

/** What the parent says about challenges. */
class Answers {
  readonly #waiting = new Map<number, (answer: Done) => void>()
  #asked = 0

  async readFrom(lines: AsyncIterator<string>): Promise<void> {
    for (let line = await lines.next(); line.done !== true; line = await lines.next()) {
      const answer: Done = JSON.parse(line.value)
      this.#waiting.get(answer.id)?.(answer)
      this.#waiting.delete(answer.id)
    }
    for (const answer of this.#waiting.values()) answer({ id: 0, error: 'the server has ended' })
  }

  async ask(type: ChallengeMessage['type'], challenge: ChallengeMessage['challenge']): Promise<void> {
    const id = ++this.#asked
    const { token, domain, keyAuthorization } = challenge
    const answer = await new Promise<Done>((resolve) => {
      this.#waiting.set(id, resolve)
      say({ type, id, challenge: { type: challenge.type, domain, token, keyAuthorization } })
    })
    if (answer.error !== '') throw new Error(answer.error)
  }
}

function optionsOf({ authorities, proxyUrl, proxyAuthorities }: Reach): ConstructorParameters<typeof HttpsClient>[0] {
  const proxy =
    proxyUrl === undefined
      ? undefined
      : { url: proxyUrl, ...(proxyAuthorities !== undefined && { authorities: proxyAuthorities }) }
  return { product: 'Gatewright', ...(authorities !== undefined && { authorities }), ...(proxy !== undefined && { proxy }) }
}

function say(message: FromProcess): void {
  process.stdout.write(`${JSON.stringify(message)}\n`)
}
