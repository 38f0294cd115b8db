import { readFileSync } from 'node:fs'

/** One event of a net log of Chromium. */
interface NetEvent {
  readonly type: number
  readonly phase: number
  readonly source: { readonly id: number }
  readonly params?: Readonly<Record<string, unknown>>
}

interface NetLogFile {
  readonly constants: { readonly logEventTypes: Readonly<Record<string, number>> }
  readonly events: readonly NetEvent[]
}

/** What Chromium has written with `--log-net-log` about its connections of HTTP/2. */
export class NetLog {
  readonly #file: NetLogFile

  constructor(path: string) {
    this.#file = JSON.parse(readFileSync(path, 'utf8'))
  }

  /** Events of a type, by the session of HTTP/2 that they belong to. */
  bySession(type: string): Map<number, readonly Readonly<Record<string, unknown>>[]> {
    const number = this.#file.constants.logEventTypes[type]
    if (number === undefined) throw new Error(`the net log has no events ${type}`)
    const found = new Map<number, Readonly<Record<string, unknown>>[]>()
    for (const { type: other, source, params = {} } of this.#file.events) {
      if (other !== number) continue
      const events = found.get(source.id) ?? []
      events.push(params)
      found.set(source.id, events)
    }
    return found
  }
}
