import type { TrafficObserver } from '@gatewright/api'

/** The bytes of one line of the log, as in httpd. */
const PIECE = 1968

/** Which directions are written. */
export interface Directions {
  readonly input: boolean
  readonly output: boolean
}

/** Writes bytes with their direction, in lines of limited length. */
export class TrafficDump implements TrafficObserver {
  readonly #write: (text: string) => void
  readonly #directions: Directions

  constructor(write: (text: string) => void, directions: Directions) {
    this.#write = write
    this.#directions = directions
  }

  received(bytes: Uint8Array): void {
    if (this.#directions.input) this.#dump('dumpio_in', bytes)
  }

  sent(bytes: Uint8Array | string): void {
    if (this.#directions.output) this.#dump('dumpio_out', bytes)
  }

  #dump(direction: string, bytes: Uint8Array | string): void {
    const text = typeof bytes === 'string' ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
    const start = `mod_dumpio:  ${direction} (data-HEAP):`
    this.#write(`${start} ${text.length} bytes`)
    for (let at = 0; at < text.length; at += PIECE) this.#write(`${start} ${text.slice(at, at + PIECE)}`)
  }
}
