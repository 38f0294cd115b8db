/** What is known of the name of a client's address. Kept for the connection, or for the request where another address took the peer's place. */
export class ClientName {
  readonly address: string
  /** What the address is said to be called, null when it is called nothing; undefined before it was asked. */
  reported: string | null | undefined = undefined
  /** Whether the reported name leads back to the address; undefined before it was asked. */
  proved: boolean | undefined = undefined

  constructor(address: string) {
    this.address = address
  }
}
