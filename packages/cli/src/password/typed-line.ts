/** The effect of a byte on a line. */
export type LineState = 'open' | 'complete' | 'ended' | 'interrupted'

const CTRL_C = 0x03
const CTRL_D = 0x04
const BACKSPACE = 0x08
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const CTRL_U = 0x15
const DELETE = 0x7f

/** A line that a person types, with the editing keys that a terminal in raw mode does not handle. */
export class TypedLine {
  readonly #bytes: number[] = []

  /** The bytes so far, one character each. */
  get text(): string {
    return Buffer.from(this.#bytes).toString('latin1')
  }

  take(byte: number): LineState {
    switch (byte) {
      case LINE_FEED:
      case CARRIAGE_RETURN:
        return 'complete'
      case CTRL_D:
        return this.#bytes.length > 0 ? 'complete' : 'ended'
      case CTRL_C:
        return 'interrupted'
      case CTRL_U:
        this.#bytes.length = 0
        return 'open'
      case BACKSPACE:
      case DELETE:
        this.#dropCharacter()
        return 'open'
      default:
        this.#bytes.push(byte)
        return 'open'
    }
  }

  /** All bytes of a UTF-8 character are removed together, as on the screen. */
  #dropCharacter(): void {
    let byte = this.#bytes.pop()
    while (byte !== undefined && (byte & 0xc0) === 0x80) byte = this.#bytes.pop()
  }
}
