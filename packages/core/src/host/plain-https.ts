import type { ServerConfiguration } from '../model/server-configuration.ts'

/** Advice about protocols that a configuration names and no loaded module speaks: clients get plain HTTP/1.1 there. */
export function plainHttpsHints({ process, servers, registry }: ServerConfiguration): string[] {
  const isLoaded = (name: string): boolean => registry.find(`${name}_module`) !== undefined
  const plain = isLoaded('ssl') ? [] : process.listeners.filter(({ protocol }) => protocol === 'https')
  const named = new Set(servers.flatMap(({ core }) => core.protocols ?? []).map((name) => name.toLowerCase()))
  const absent = isLoaded('http2') ? [] : ['h2', 'h2c'].filter((name) => named.has(name))
  return [
    ...plain.map(
      ({ address, port }) => `Listen ${address === '*' ? '' : `${address}:`}${port} https: plain HTTP, as mod_ssl is not loaded`,
    ),
    ...(absent.length === 0 ? [] : [`Protocols ${absent.join(' ')}: no effect, as mod_http2 is not loaded`]),
  ]
}
