import type { ProcessSettings } from '../settings.ts'

/** `http:8080`, `443:-`: sets the local port. @returns the error text */
export function readPortMap(settings: Partial<ProcessSettings>, text: string): string | undefined {
  const [, net = '', rest = ''] = /^(http(?=:)|https(?=:)|\s*[-+]?\d*)(.*)$/s.exec(text) ?? []
  if (!rest.startsWith(':')) return "no ':' after first port number"
  const local = rest.startsWith(':-') ? 0 : Number(/^\s*[-+]?\d+/.exec(rest.slice(1))?.[0] ?? 0)
  if (!rest.startsWith(':-') && (local <= 0 || local > 65_535)) return 'invalid number for port map, must be in ]0,65535]'
  const port = net === 'http' ? 80 : net === 'https' ? 443 : Number(net)
  if (port === 80) settings.localHttp = local
  else if (port === 443) settings.localHttps = local
  else return 'mapped port number must be 80 or 443'
  return undefined
}
