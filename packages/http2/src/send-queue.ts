import { URGENCIES } from './priority.ts'

/** A stream that has something to send. */
export interface Sender {
  readonly urgency: number
  readonly incremental: boolean
  /** Set by the queue. */
  isQueued: boolean
}

/**
 * The streams with something to send, by their urgency (RFC 9218 section 10). Those of one urgency come in the order in
 * which they joined; incremental ones go to the end after each frame.
 */
export class SendQueue<S extends Sender> {
  readonly #lists: S[][] = Array.from({ length: URGENCIES }, () => [])
  #size = 0

  get size(): number {
    return this.#size
  }

  add(sender: S): void {
    if (sender.isQueued) return
    sender.isQueued = true
    this.#lists[sender.urgency].push(sender)
    this.#size++
  }

  /** The next one; null if there is none. */
  first(): S | null {
    if (this.#size === 0) return null
    for (const list of this.#lists) if (list.length > 0) return list[0]
    return null
  }

  /** The first one has sent a frame. */
  sent(sender: S): void {
    if (!sender.incremental) return
    const list = this.#lists[sender.urgency]
    if (list.length < 2 || list[0] !== sender) return
    list.shift()
    list.push(sender)
  }

  remove(sender: S): void {
    if (!sender.isQueued) return
    sender.isQueued = false
    this.#size--
    const list = this.#lists[sender.urgency]
    const at = list[0] === sender ? 0 : list.indexOf(sender)
    if (at === 0) list.shift()
    else if (at > 0) list.splice(at, 1)
  }
}
