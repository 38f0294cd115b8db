import { freePort } from '../../free-port.ts'

/** Addresses of this machine that represent those of a configuration, and free ports. */
export interface LocalPlaces {
  address(address: string): string
  port(port: number): number
  readonly listens: readonly { readonly address: string; readonly port: number }[]
}

/**
 * @param addresses of the configuration, the main one first
 * @throws the system's error if no port is free
 */
export async function localPlaces(addresses: readonly string[], ports: readonly number[]): Promise<LocalPlaces> {
  const byAddress = new Map([...new Set(['127.0.0.1', ...addresses])].map((address, index) => [address, `127.0.0.${index + 1}`]))
  const byPort = new Map<number, number>()
  for (const port of new Set(ports)) byPort.set(port, await freePort())
  const [anyPort = 0] = byPort.values()
  return {
    address: (address) => byAddress.get(address) ?? '127.0.0.1',
    port: (port) => byPort.get(port) ?? anyPort,
    listens: [...byAddress.values()].flatMap((address) => [...byPort.values()].map((port) => ({ address, port }))),
  }
}
