import type { PartMessage } from '../engine/messages.ts'
import type { Case } from '../engine/question-case.ts'
import { passed } from './case-link.ts'

/** In milliseconds: a pattern that takes exponential time ends with this. */
const PATIENCE = 15_000

/** Asks the engine, which works in a thread of its own, so that the page stays usable and can end it. */
export class EngineClient {
  readonly #address: string
  readonly #hear: (part: PartMessage) => void
  #worker: Worker
  #last = 0
  #late: ReturnType<typeof setTimeout> | undefined

  private constructor(address: string, hear: (part: PartMessage) => void) {
    this.#address = address
    this.#hear = hear
    this.#worker = this.#start()
  }

  /** @param packed the engine's script: base64 of gzip */
  static async start(packed: string, hear: (part: PartMessage) => void): Promise<EngineClient> {
    const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0))
    const script = await passed(bytes, new DecompressionStream('gzip'))
    const address = URL.createObjectURL(new Blob([new TextDecoder().decode(script)], { type: 'text/javascript' }))
    return new EngineClient(address, hear)
  }

  ask(given: Case): void {
    const id = ++this.#last
    clearTimeout(this.#late)
    this.#late = setTimeout(() => {
      this.#worker.terminate()
      this.#worker = this.#start()
      const message = `There was no answer within ${PATIENCE / 1000} seconds: a regular expression may take exponential time.`
      this.#hear({ id, part: 'failure', message })
    }, PATIENCE)
    this.#worker.postMessage({ id, given })
  }

  #start(): Worker {
    const worker = new Worker(this.#address)
    worker.addEventListener('message', ({ data }: MessageEvent<PartMessage>) => {
      if (data.id !== this.#last) return
      if (data.part === 'end' || data.part === 'failure') clearTimeout(this.#late)
      this.#hear(data)
    })
    worker.addEventListener('error', (event) => {
      clearTimeout(this.#late)
      this.#hear({ id: this.#last, part: 'failure', message: `The engine failed: ${event.message}` })
    })
    return worker
  }
}
