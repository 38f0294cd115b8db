import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clientOf } from './clients.mjs'
import { isQuiet, quietest, summarize } from './rounds.mjs'
import { PROGRAM_PATH } from './servers/programs.mjs'
import { freePort, RunningServer } from './servers/running-server.mjs'
import { preparePlace } from './site.mjs'
import { Usage } from './usage.mjs'
import { verify } from './verify.mjs'

/** The maximum number of attempts at a round that other programs disturb. */
const ATTEMPTS = 4
/** Each server answers as many requests before the rounds, or has as many seconds for them. */
const WARM_UP_REQUESTS = 60_000
const WARM_UP_SECONDS = 12
/** Seconds of one load before the rounds. */
const WARM_UP_STEP = 2

/** One server with the configuration of one scenario, and its figures. */
export class Contestant {
  #running
  #root
  #rounds = []
  /** Requests per second of the last load. */
  #rate

  constructor(running, server, scenario, root) {
    this.#running = running
    this.#root = root
    /** Its name. */
    this.server = server
    this.scenario = scenario
  }

  /**
   * @param {{ root: string, docs: string, core: number, descriptors?: number, backend?: number, signal: AbortSignal }} where
   * @returns {Promise<Contestant | undefined>} undefined: the server does not support what the scenario
   *   measures
   * @throws {Error} if it does not start
   */
  static async start(server, scenario, { root, docs, core, descriptors, backend, signal }) {
    const port = await freePort()
    const place = preparePlace(root, docs, port, scenario)
    const configuration = server.configuration(scenario, place)
    if (configuration === undefined) return undefined
    writeFileSync(join(root, 'server.conf'), configuration.replaceAll('@BACKEND@', `${backend}`).replaceAll('@ROOT@', root))
    try {
      const how = { core, command: server.command(place), port, path: PROGRAM_PATH, descriptors, signal }
      const running = await RunningServer.start(how)
      return new Contestant(running, server.name, scenario, root)
    } catch (error) {
      throw new Error(`${server.name}: ${error.message}`, { cause: error })
    }
  }

  /**
   * Whether its answers match the scenario.
   * @throws {Error} with the difference, unless the scenario allows that this server does not support it
   */
  async isFit(signal) {
    const { ask, visits, mayBeUnable } = this.scenario
    try {
      // Bare Node does not decide anything.
      const checked = this.server.startsWith('bare-node') ? [ask] : [...visits, ask]
      const { http2 } = this.scenario
      await verify({ port: this.#running.port, isSecure: this.#isSecure, isHttp2: http2 !== undefined }, checked, signal)
      return true
    } catch (error) {
      signal.throwIfAborted()
      if (mayBeUnable === this.server) return false
      throw new Error(`${this.server}: ${error.message}`, { cause: error })
    }
  }

  /**
   * Loads it without measuring, so that caches are filled and code is compiled: V8 compiles what has run often, and where a
   * request takes long, as a handshake does, that takes many seconds.
   */
  async warmUp(shape) {
    let answered = 0
    for (let second = 0; second < WARM_UP_SECONDS && answered < WARM_UP_REQUESTS; second += WARM_UP_STEP) {
      answered += (await this.#load({ ...shape, seconds: WARM_UP_STEP })).requests
    }
  }

  /** Measures one round: the quietest of some attempts, or the first quiet one. */
  async measure(shape) {
    const attempts = []
    do attempts.push(await this.#load(shape))
    while (attempts.length < ATTEMPTS && !isQuiet(attempts.at(-1)))
    this.#rounds.push(quietest(attempts))
  }

  /** The results of the rounds, and the server's current memory. */
  figures() {
    return { ...summarize(this.#rounds), memoryMebibytes: this.#running.memoryMebibytes }
  }

  get #isSecure() {
    return this.scenario.tls !== undefined
  }

  get port() {
    return this.#running.port
  }

  get memoryMebibytes() {
    return this.#running.memoryMebibytes
  }

  get cpuMicroseconds() {
    return this.#running.cpuMicroseconds
  }

  stop() {
    return this.#running.stop()
  }

  async #load({ cores, ...shape }) {
    const { path, headers, status, method, size } = this.scenario.ask
    const scheme = this.#isSecure ? 'https' : 'http'
    const usage = new Usage(this.#running, Object.values(cores))
    const { failed, ...figures } = await clientOf(this.scenario)(`${scheme}://127.0.0.1:${this.#running.port}${path}`, {
      ...shape,
      core: cores.client,
      headers,
      method,
      size,
      rate: this.#rate,
      log: join(this.#root, 'client.log'),
    })
    const { serverMicroseconds, othersPercent } = usage.read()
    const { lastWords } = this.#running
    if (lastWords !== undefined) throw new Error(`${this.server} has ended: ${lastWords}`)
    const { requests, requestsPerSecond } = figures
    this.#rate = requestsPerSecond
    if (requests === 0) throw new Error(`${this.server}: no request was answered`)
    const expected = status < 400 ? 0 : requests
    if (failed !== expected)
      throw new Error(`${this.server}: ${failed} of ${requests} answers had a status of 400 and above, not ${expected}`)
    const cpuMicroseconds = serverMicroseconds / requests
    // Well below 100, the client or another program was the limit, and CPU time is more meaningful than
    // requests/s.
    return { ...figures, cpuMicroseconds, corePercent: (cpuMicroseconds * requestsPerSecond) / 10_000, othersPercent }
  }
}
