import type { SharedRecord, SharedRecordShape } from '@gatewright/api'
import type { HeartbeatServer } from '@gatewright/api/peers'
import { type HeardServers, type Heartbeat, LONGEST_SILENCE } from './heard-servers.ts'

const READY = 0
const BUSY = 1
/** In milliseconds since the epoch. */
const HEARD = 2
const SHAPE: SharedRecordShape = { numbers: 3 }

/** Servers in records that the processes share, one for each; the text of a record is the address. */
export class ServerSlots implements HeardServers {
  readonly #records: readonly SharedRecord[]

  constructor(most: number, open: (name: string, shape: SharedRecordShape) => SharedRecord) {
    this.#records = Array.from({ length: most }, (_none, index) => open(String(index), SHAPE))
  }

  hear({ address, ready, busy }: Heartbeat): void {
    const now = Date.now()
    const record =
      this.#records.find(({ text }) => text === address) ??
      this.#records.find(({ numbers }) => now - numbers[HEARD] > LONGEST_SILENCE)
    // As in httpd, a server that finds no place is heard of when another one has been silent.
    if (record === undefined) return
    if (record.text !== address) record.setText(address)
    record.set(READY, ready)
    record.set(BUSY, busy)
    record.set(HEARD, now)
  }

  keep(): void {}

  known(): readonly HeartbeatServer[] {
    const now = Date.now()
    const servers: HeartbeatServer[] = []
    for (const { numbers, text } of this.#records) {
      const silence = now - numbers[HEARD]
      if (text === '' || silence > LONGEST_SILENCE) continue
      const age = Math.max(0, Math.trunc(silence / 1000))
      servers.push({ address: text, ready: numbers[READY], busy: numbers[BUSY], age })
    }
    return servers
  }
}
