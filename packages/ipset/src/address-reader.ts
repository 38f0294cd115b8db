import { type Address, parseAddress } from './address.ts'

/** Enough for the clients of a busy moment. When the table is full, it is emptied. */
const LIMIT = 4096

/**
 * Client addresses in the form that networks are compared in. Each text is parsed once, not once per check.
 */
export class AddressReader {
  readonly #byText = new Map<string, Address>()

  /**
   * @throws Error if the text is not a valid address, so that no check treats the client as an admitted one
   */
  of(text: string): Address {
    return this.#byText.get(text) ?? this.#read(text)
  }

  #read(text: string): Address {
    const address = parseAddress(text)
    if (address === undefined) throw new Error(`the client's address is not an IP address: ${text}`)
    if (this.#byText.size >= LIMIT) this.#byText.clear()
    this.#byText.set(text, address)
    return address
  }
}
