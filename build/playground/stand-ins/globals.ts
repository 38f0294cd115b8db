// Names that Node has everywhere: esbuild imports them where they are used.
import { Buffer } from 'node:buffer'
import { process } from './process.ts'

const turns = new MessageChannel()
const waiting: (() => void)[] = []
turns.port1.onmessage = () => waiting.shift()?.()

/** A turn of the event loop later, without the delay that timers of a page have. */
function setImmediate<T extends unknown[]>(act: (...values: T) => void, ...values: T): { unref(): void } {
  waiting.push(() => act(...values))
  turns.port2.postMessage(null)
  return { unref: () => undefined }
}

/** What Node's timers have besides their number. */
class Timer {
  readonly #id: ReturnType<typeof globalThis.setTimeout>

  constructor(id: ReturnType<typeof globalThis.setTimeout>) {
    this.#id = id
  }

  unref(): this {
    return this
  }
  ref(): this {
    return this
  }
  clear(): void {
    globalThis.clearTimeout(this.#id)
  }
}

function setTimeout<T extends unknown[]>(act: (...values: T) => void, ms?: number, ...values: T): Timer {
  return new Timer(globalThis.setTimeout(act, ms, ...values))
}

function setInterval<T extends unknown[]>(act: (...values: T) => void, ms?: number, ...values: T): Timer {
  return new Timer(globalThis.setInterval(act, ms, ...values))
}

function clearTimeout(timer: unknown): void {
  if (timer instanceof Timer) timer.clear()
}

export { Buffer, clearTimeout as clearInterval, clearTimeout, process, setImmediate, setInterval, setTimeout }
