import { type Address, parseAddress } from './address.ts'

/** Enough for the clients of a busy moment; beyond it the table starts anew. */
const LIMIT = 4096

/** Client addresses in the form that networks are compared in, read once per text rather than once per check. */
export class AddressReader {
  readonly #byText = new Map<string, Address>()

  /** @throws Error when the client's address is none: no check may take it for a stranger that is let in */
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
