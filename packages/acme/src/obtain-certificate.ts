import { setTimeout as sleep } from 'node:timers/promises'
import { AcmeFailure } from './acme-failure.ts'
import { chainFrom } from './chain.ts'
import {
  type ChallengeType,
  type OfferedChallenge,
  offeredChallenges,
  offeredTypes,
  type PreparedChallenge,
} from './challenges.ts'
import { printable, retryAfter } from './failure-of.ts'
import type { Reply } from './https-client.ts'
import { type JsonObject, objectOf, parseObject, textOf, textsOf } from './json-fields.ts'
import type { AcmeSession } from './session.ts'

/** Milliseconds that a CA has for looking at challenges, and as much again for issuing. */
const PATIENCE = 120_000
const FIRST_PAUSE = 300
const LONGEST_PAUSE = 5_000

/** What is ordered. */
export interface OrderPlan {
  readonly domains: readonly string[]
  /** DER of the request (RFC 2986), whose names are those of the order. */
  readonly csr: Buffer
  /** The kinds of proof for a name without `*.`, the preferred one first. */
  challengesFor(domain: string): readonly ChallengeType[]
  /** A profile of the CA. */
  readonly profile?: string
  /** Identifier of the certificate that the new one replaces (RFC 9773 section 5). */
  readonly replaces?: string
}

/** What happens meanwhile. */
export interface OrderEvents {
  /** Makes the answer available. A rejection makes the next kind of proof be tried. */
  setUp(challenge: PreparedChallenge): Promise<void>
  /** The answer is not needed any more, whether or not the CA liked it. */
  tearDown(challenge: PreparedChallenge): Promise<void>
  progress(text: string): void
}

/** Orders a certificate and waits for it. @returns the chain in PEM, the server's certificate first @throws AcmeFailure */
export async function obtainCertificate(session: AcmeSession, plan: OrderPlan, events: OrderEvents): Promise<readonly string[]> {
  return await new Ordering(session, plan, events).run()
}

/** What is known of an order. */
interface OrderView {
  readonly url: string
  readonly object: JsonObject
}

class Ordering {
  readonly #session: AcmeSession
  readonly #plan: OrderPlan
  readonly #events: OrderEvents
  readonly #prepared: PreparedChallenge[] = []

  constructor(session: AcmeSession, plan: OrderPlan, events: OrderEvents) {
    this.#session = session
    this.#plan = plan
    this.#events = events
  }

  async run(): Promise<readonly string[]> {
    try {
      const order = await this.#create()
      const authorizations = textsOf(order.object, 'authorizations')
      this.#events.progress('Starting challenges for domains')
      for (const url of authorizations) await this.#answer(url)
      this.#events.progress(`Monitoring challenge status for ${this.#plan.domains[0]}`)
      for (const url of authorizations) await this.#untilValid(url)
      this.#events.progress('Waiting for order to become ready')
      await this.#until(order.url, ['ready', 'valid'])
      return await this.#finalize(order)
    } finally {
      for (const challenge of this.#prepared) await this.#events.tearDown(challenge)
    }
  }

  async #create(): Promise<OrderView> {
    const { domains, profile, replaces } = this.#plan
    const payload: Record<string, unknown> = { identifiers: domains.map((value) => ({ type: 'dns', value })) }
    if (profile !== undefined) payload.profile = profile
    if (replaces !== undefined) payload.replaces = replaces
    const reply = await this.#session.post(this.#session.directory.newOrder, payload)
    const url = reply.field('location')
    if (url === '') throw new AcmeFailure('new order, no location header')
    return { url, object: parseObject(reply.body, url) }
  }

  async #answer(url: string): Promise<void> {
    const authorization = parseObject((await this.#session.post(url, null)).body, url)
    const domain = textOf(objectOf(authorization, 'identifier'), 'value')
    const status = textOf(authorization, 'status')
    if (status === 'valid') return
    if (status !== 'pending') throw refused(authorization, domain)
    // The name becomes part of paths and of arguments of programs.
    const isOrdered = this.#plan.domains.some((name) => name === domain || name === `*.${domain}`)
    if (!isOrdered) throw new AcmeFailure(`<${url}> is about a name that was not ordered: ${printable(domain)}`)
    const wanted = this.#plan.challengesFor(domain)
    const offered = offeredChallenges(authorization, domain, this.#session.key)
    const usable = wanted.flatMap((type) => offered.filter((one) => one.type === type))
    if (usable.length === 0) {
      throw new AcmeFailure(
        `None of offered challenge types for domain ${domain} are supported. The server offered '${printable(offeredTypes(authorization).join(' '))}' and available are: '${wanted.join(' ')}'.`,
        { type: 'challenge-mismatch', detail: '', status: 0 },
      )
    }
    await this.#begin(await this.#setUpOne(usable, domain))
  }

  async #setUpOne(usable: readonly OfferedChallenge[], domain: string): Promise<OfferedChallenge> {
    for (const challenge of usable) {
      this.#events.progress(`Setting up challenge '${challenge.type}' for domain ${domain}`)
      try {
        await this.#events.setUp(challenge)
        this.#prepared.push(challenge)
        return challenge
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        this.#events.progress(`error setting up challenge '${challenge.type}' for ${domain}: ${reason}`)
      }
    }
    throw new AcmeFailure(
      `None of the offered challenge types ${usable.map(({ type }) => type).join(' ')} offered for domain ${domain} could be setup successfully. Please check the log for errors.`,
      { type: 'challenge-setup-failure', detail: '', status: 0 },
    )
  }

  async #begin({ url }: OfferedChallenge): Promise<void> {
    await this.#session.post(url, {})
  }

  async #untilValid(url: string): Promise<void> {
    const object = await this.#poll(url, (status) => status !== 'pending')
    if (textOf(object, 'status') !== 'valid') throw refused(object, textOf(objectOf(object, 'identifier'), 'value'))
  }

  async #finalize(order: OrderView): Promise<readonly string[]> {
    const [name] = this.#plan.domains
    this.#events.progress(`Submitting CSR to CA for ${name}`)
    const ready = await this.#until(order.url, ['ready', 'valid'])
    if (textOf(ready, 'status') === 'ready') {
      await this.#session.post(textOf(ready, 'finalize'), { csr: this.#plan.csr.toString('base64url') })
    }
    this.#events.progress('Waiting for finalized order to become valid')
    const valid = await this.#until(order.url, ['valid'])
    const url = textOf(valid, 'certificate')
    if (url === '') throw new AcmeFailure('Order valid, but certificate url is missing.')
    this.#events.progress(`Retrieving certificate chain for ${name}`)
    return chainFrom((await this.#session.post(url, null)).body, url)
  }

  async #until(url: string, wanted: readonly string[]): Promise<JsonObject> {
    const object = await this.#poll(url, (status) => wanted.includes(status) || status === 'invalid')
    if (textOf(object, 'status') !== 'invalid') return object
    const { type, detail } = problemIn(object)
    throw new AcmeFailure(`ACME server order status is 'invalid'. ${detail}`, { type, detail, status: 200 })
  }

  /** Asks until the state is what is waited for, at the pace that the CA asks for. */
  async #poll(url: string, isEnd: (status: string) => boolean): Promise<JsonObject> {
    const limit = Date.now() + PATIENCE
    for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
      const reply: Reply = await this.#session.post(url, null)
      const object = parseObject(reply.body, url)
      if (isEnd(textOf(object, 'status'))) return object
      const now = Date.now()
      const wait = Math.min(Math.max(retryAfter(reply, now), pause), Math.max(limit - now, 0))
      if (now >= limit)
        throw new AcmeFailure(`<${url}> is still '${printable(textOf(object, 'status'))}' after ${PATIENCE / 1000} s`)
      await sleep(wait)
    }
  }
}

function refused(authorization: JsonObject, domain: string): AcmeFailure {
  const challenges = authorization.challenges
  const failed = Array.isArray(challenges)
    ? challenges.find((one) => typeof one === 'object' && one !== null && 'error' in one)
    : undefined
  const { type, detail } = failed === undefined ? { type: 'challenge-invalid', detail: '' } : problemIn(failed)
  const reason = detail === '' ? ', no error given' : `: ${detail}`
  return new AcmeFailure(
    `domain authorization for ${printable(domain)} failed, CA considers answer to challenge invalid${reason}.`,
    { type, detail, status: 200 },
  )
}

function problemIn(object: JsonObject): { readonly type: string; readonly detail: string } {
  const error = objectOf(object, 'error')
  return { type: printable(textOf(error, 'type')), detail: printable(textOf(error, 'detail')) }
}
