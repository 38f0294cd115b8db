import { Agent, request } from 'node:http'

/** Between two of its requests. */
const EVERY_MS = 10
/** Between a request that was cut off and the same one again. */
const AGAIN_MS = 50

/**
 * The client beside the tenant's: repeatedly requests a file outside of the tenant's folder, and records its
 * longest wait.
 */
export class OtherClient {
  #agent = new Agent({ keepAlive: true })
  #port
  #timer
  /** When those were asked that are not answered yet. */
  #open = new Set()
  /** The longest wait in ms. */
  longest = 0
  /** How often the server ended a connection instead of answering. */
  cutOff = 0
  /** Answers other than 200. */
  refused = 0

  constructor(port) {
    this.#port = port
  }

  start() {
    this.#timer = setInterval(() => this.#ask(performance.now()), EVERY_MS)
  }

  /** Sends no more requests, and waits for pending answers, up to this many ms. */
  async stop(patience) {
    clearInterval(this.#timer)
    const end = performance.now() + patience
    while (this.#open.size > 0 && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
    for (const began of this.#open) this.#waited(began)
    this.#open.clear()
    this.#agent.destroy()
  }

  /** A request that is cut off is repeated; its time begins with the first attempt. */
  #ask(began) {
    this.#open.add(began)
    const again = () => {
      if (!this.#open.has(began)) return
      this.cutOff++
      setTimeout(() => this.#open.has(began) && this.#ask(began), AGAIN_MS)
    }
    const asked = request({ host: '127.0.0.1', port: this.#port, path: '/other/small.html', agent: this.#agent }, (answer) => {
      if (answer.statusCode !== 200) this.refused++
      answer.on('error', again)
      answer.on('end', () => {
        if (this.#open.delete(began)) this.#waited(began)
      })
      answer.resume()
    })
    asked.on('error', again)
    asked.end()
  }

  #waited(began) {
    this.longest = Math.max(this.longest, performance.now() - began)
  }
}
