/**
 * The cached name lookup of a client's address. Stored with the connection, or with the request if another
 * address replaced the peer's.
 */
export class ClientName {
  readonly address: string
  /** The reported name of the address, null if it does not have one; undefined before the lookup. */
  reported: string | null | undefined = undefined
  /** Whether the reported name resolves back to the address; undefined before the lookup. */
  proved: boolean | undefined = undefined

  constructor(address: string) {
    this.address = address
  }
}
