/** Where a server listens: an address and a port, or a socket of the file system. */
export type StoreAddress = { readonly host: string; readonly port: number } | { readonly path: string }

/**
 * Reads a list of servers, `HOST[:PORT],...`; an IPv6 address is in brackets. `unix:PATH` is a socket of the file system.
 * @param port the default
 * @returns an error text if one cannot be read
 */
export function readAddresses(text: string, port: number): readonly StoreAddress[] | string {
  const addresses: StoreAddress[] = []
  for (const word of text.split(/[\s,]+/).filter((part) => part !== '')) {
    const address = readAddress(word, port)
    if (address === null) return `Failed to Parse Server: '${word}'`
    addresses.push(address)
  }
  return addresses
}

function readAddress(word: string, standard: number): StoreAddress | null {
  if (word.startsWith('unix:')) return word === 'unix:' ? null : { path: word.slice('unix:'.length) }
  const [, bracketed, plain, digits] = /^(?:\[([0-9A-Fa-f:.]+)\]|([^[\]:]+))(?::(\d{1,5}))?$/.exec(word) ?? []
  const host = bracketed ?? plain
  const port = digits === undefined ? standard : Number(digits)
  return host === undefined || port < 1 || port > 65_535 ? null : { host, port }
}

/** As messages name it. */
export function titleOf(address: StoreAddress): string {
  return 'path' in address ? address.path : `${address.host}:${address.port}`
}
