import {
  DECLINED,
  HTTP_INTERNAL_SERVER_ERROR,
  HTTP_SERVICE_UNAVAILABLE,
  httpStatus,
  isExpressionError,
  type MaybePromise,
  type ModuleHost,
  type Outcome,
  type Request,
  type Server,
  type SharedRecord,
} from '@gatewright/api'
import { html } from '@gatewright/api/text'
import { askShown, traceDirective } from '@gatewright/api/tracing'
import { AddressReader } from '@gatewright/ipset'
import type { RateConfig } from './config.ts'
import type { RateLimit } from './rate-limit.ts'
import { RateTable, TABLE_LENGTH } from './rate-table.ts'
import { SharedRates } from './shared-rates.ts'

const SOURCE = 'mod_request_rate.c'
const TOO_MANY_REQUESTS = httpStatus(429)
/** Limits of the server's files that have counters of their own; all others share the last ones. */
const COUNTED_LIMITS = 64
/** Bytes of the store, where the machines share none: more than 10,000 keys. */
const STORE_SIZE = 4_194_304
/** Milliseconds between two lines of the log about one limit. */
const LOG_PAUSE = 1_000

/** The two figures of a limit. */
const WITHIN = 0
const ABOVE = 1

/** A limit that the machines share, and what it counts by. */
interface AskedLimit {
  readonly limit: RateLimit
  readonly key: string
}

/** Applies limits, and counts what they do. */
export class Rates {
  readonly #host: ModuleHost<RateConfig, undefined>
  readonly #limits: RateLimit[] = []
  readonly #logged = new Map<number, { at: number; since: number }>()
  readonly #addresses = new AddressReader()
  /** The keys of the request in progress, by limit. */
  readonly #keys: string[] = []
  #table: RateTable | null = null
  #record: SharedRecord | null = null
  #shared: SharedRates | null = null

  constructor(host: ModuleHost<RateConfig, undefined>) {
    this.#host = host
  }

  /** Numbers the limits of the server's files in their order, which is the same in all processes. */
  open(servers: readonly Server[]): void {
    const { services } = this.#host
    const configs = [
      ...servers.map((server) => this.#host.defaultsOf(server)),
      ...this.#host.placedConfigs().map(({ config }) => config),
    ]
    for (const limit of new Set(configs.flatMap(({ limits }) => limits ?? []))) {
      limit.index = Math.min(this.#limits.length, COUNTED_LIMITS - 1)
      this.#limits.push(limit)
    }
    const record = services.sharedRecord(SOURCE, {
      numbers: TABLE_LENGTH + 2 * COUNTED_LIMITS,
      onAdd: (index, amount) => {
        if (index < TABLE_LENGTH) this.#table?.added(index, amount, performance.now())
      },
    })
    this.#record = record
    this.#table = new RateTable(services.secret(SOURCE), (cell, amount) => record.add(cell, amount))
  }

  /** @param moment before access control, or after it, when the user is known */
  judge(request: Request, limits: readonly RateLimit[], moment: 'early' | 'late'): MaybePromise<Outcome> {
    // A redirect or sub-request is a part of the client's request.
    if (request.main !== null || request.prev !== null || this.#table === null) return DECLINED
    const now = performance.now()
    const keys = this.#keys
    let refused: RateLimit | null = null
    let longest = 0
    let isShared = false
    for (let index = 0; index < limits.length; index++) {
      const limit = limits[index]
      const key = limit.isLate === (moment === 'late') ? this.#keyOf(request, limit) : ''
      if (key === null) return HTTP_INTERNAL_SERVER_ERROR
      keys[index] = key
      if (limit.sharing !== null && key !== '') isShared = true
      const wait = key === '' ? 0 : this.#table.wait(limit.salt, key, now, limit.ahead)
      if (wait > longest) {
        refused = limit
        longest = wait
      }
    }
    const isDry = refused !== null && this.#host.configOf(request).dryRun === true
    // A refused request costs nothing, so a client that keeps trying gets its rate. An explanation changes nothing.
    if ((refused === null || isDry) && request.tracer === null) this.#take(this.#table, limits, now)
    if (refused !== null) return this.#refuse(request, refused, longest, isDry)
    if (request.tracer !== null) this.#explain(request, limits)
    return isShared ? this.#askOthers(request, limits) : DECLINED
  }

  /** Which lines count a request. What others have sent is not known to an explanation. */
  #explain(request: Request, limits: readonly RateLimit[]): void {
    for (const [index, limit] of limits.entries()) {
      const key = this.#keys[index]
      if (key !== '') traceDirective(request, 'RequestRate', placeOf(limit), `counts the request for ${key}: ${limit.shown}`)
    }
  }

  /** What this machine has counted is within the rates: now the counts of all machines decide. */
  #askOthers(request: Request, limits: readonly RateLimit[]): MaybePromise<Outcome> {
    const asked = limits.flatMap((limit, index) =>
      limit.sharing === null || this.#keys[index] === '' ? [] : [{ limit, key: this.#keys[index] }],
    )
    if (request.tracer === null) return this.#takeShared(request, asked)
    return this.#explainShared(request, asked)
  }

  /** Looks at the counts of all machines without counting. */
  async #explainShared(request: Request, asked: readonly AskedLimit[]): Promise<Outcome> {
    const isDry = this.#host.configOf(request).dryRun === true
    for (const { limit, key } of asked) {
      const wait = await askShown(request, {
        of: 'the shared cache',
        question: `the rate of ${limit.file}:${limit.line} for ${key}`,
        ask: () => this.#sharedRates().wait(limit, key),
        shown: (found) => (found > 0 ? `above the rate for ${Math.ceil(found / 1_000)} s` : 'within the rate'),
      })
      const outcome = wait === null || wait === 0 ? DECLINED : this.#refuse(request, limit, wait, isDry)
      if (outcome !== DECLINED) return outcome
    }
    return DECLINED
  }

  #sharedRates(): SharedRates {
    this.#shared ??= new SharedRates(this.#host.services.shared(SOURCE, STORE_SIZE), Date.now)
    return this.#shared
  }

  async #takeShared(request: Request, asked: readonly AskedLimit[]): Promise<Outcome> {
    const shared = this.#sharedRates()
    const isDry = this.#host.configOf(request).dryRun === true
    for (const { limit, key } of asked) {
      const wait = await shared.take(limit, key)
      if (wait === 0) continue
      if (wait !== undefined) {
        if (!isDry) this.#count(limit, WITHIN, -1)
        const outcome = this.#refuse(request, limit, wait, isDry)
        if (outcome !== DECLINED) return outcome
      } else if (limit.sharing === 'strict' && !isDry) {
        this.#report(request, limit, 'refused with 503, because the SharedCache does not answer', '')
        request.refusedBy = 'RequestRate'
        return HTTP_SERVICE_UNAVAILABLE
      }
    }
    return DECLINED
  }

  #take(table: RateTable, limits: readonly RateLimit[], now: number): void {
    for (let index = 0; index < limits.length; index++) {
      const limit = limits[index]
      const key = this.#keys[index]
      if (key === '') continue
      table.take(limit.salt, key, now, limit.cost)
      this.#count(limit, WITHIN)
    }
  }

  #refuse(request: Request, limit: RateLimit, wait: number, isDry: boolean): Outcome {
    const seconds = Math.max(1, Math.ceil(wait / 1_000))
    traceDirective(
      request,
      'RequestRate',
      placeOf(limit),
      isDry ? 'would refuse the request with 429 (dry run)' : 'refuses the request with 429',
    )
    if (request.tracer === null) this.#count(limit, ABOVE)
    this.#report(request, limit, isDry ? 'would be refused (RequestRateDryRun)' : 'refused with 429')
    if (isDry) return DECLINED
    request.refusedBy = 'RequestRate'
    request.errHeadersOut.set('Retry-After', String(seconds))
    return TOO_MANY_REQUESTS
  }

  /** null if the expression failed, which was logged; '' if there is nothing to count by. */
  #keyOf(request: Request, { key, file, line }: RateLimit): string | null {
    switch (key.kind) {
      case 'client':
        return this.#networkOf(request.useragentAddress)
      case 'user':
        return request.user ?? ''
      case 'text':
        try {
          return key.text.of(request)
        } catch (error) {
          if (!isExpressionError(error)) throw error
          this.#host.log.write(request, 'error', '', `RequestRate (${file}:${line}): the key failed: ${error.message}`)
          return null
        }
    }
  }

  /** A client has all addresses of a network of IPv6, whose first half is the same. */
  #networkOf(address: string): string {
    if (!address.includes(':')) return address
    const { w0, w1 } = this.#addresses.of(address)
    return `${w0}:${w1}`
  }

  #count({ index }: RateLimit, figure: number, amount = 1): void {
    this.#record?.add(TABLE_LENGTH + 2 * (index < 0 ? COUNTED_LIMITS - 1 : index) + figure, amount)
  }

  /** One line a second for each limit: a flood of requests must not become a flood of lines. */
  #report(request: Request, { salt, shown, file, line }: RateLimit, what: string, why: 'above ' | '' = 'above '): void {
    const now = performance.now()
    const before = this.#logged.get(salt)
    if (before !== undefined && now - before.at < LOG_PAUSE) {
      before.since++
      return
    }
    if (this.#logged.size >= COUNTED_LIMITS) this.#logged.clear()
    this.#logged.set(salt, { at: now, since: 0 })
    const more = before === undefined || before.since === 0 ? '' : `, and ${before.since} more since the last line`
    this.#host.log.write(request, 'warn', '', `${why}RequestRate ${shown} (${file}:${line}): ${what}${more}`)
  }

  /** What mod_status shows. */
  status(form: 'page' | 'auto'): string {
    const { numbers } = this.#record ?? {}
    if (this.#limits.length === 0 || numbers === undefined) return ''
    const rows = this.#limits.slice(0, COUNTED_LIMITS).map(({ shown, file, line, index }) => ({
      name: `${shown} (${file}:${line})`,
      within: numbers[TABLE_LENGTH + 2 * index + WITHIN],
      above: numbers[TABLE_LENGTH + 2 * index + ABOVE],
    }))
    if (form === 'auto') {
      return rows
        .map(({ name, within, above }) => `RequestRate: ${name}\nRequestRateWithin: ${within}\nRequestRateAbove: ${above}\n`)
        .join('')
    }
    const cells = rows.map(({ name, within, above }) => html`<tr><td>${name}</td><td>${within}</td><td>${above}</td></tr>`)
    return String(html`<hr><h2>Request rates</h2><table><tr><th>Limit</th><th>Within</th><th>Above</th></tr>${cells}</table>\n`)
  }
}

function placeOf({ file, line }: RateLimit): { readonly name: string; readonly file: string; readonly line: number } {
  return { name: 'RequestRate', file, line }
}
