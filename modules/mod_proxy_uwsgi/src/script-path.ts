import type { ProxyPassing, Table } from '@gatewright/api'

/**
 * Splits the path as httpd does: PATH_INFO is what follows the URL of the worker, SCRIPT_NAME what is before it in the path
 * of the client.
 * @returns false for an escape that is none
 */
export function splitScriptPath({ url, worker }: Pick<ProxyPassing, 'url' | 'worker'>, variables: Table): boolean {
  // A pattern may insert the rest.
  const [fixed] = worker.name.split('$', 1)
  const path = url.slice(fixed.length)
  const info = decoded(path.startsWith('/') ? path : `/${path}`)
  if (info === null) return false
  const slash = url.indexOf('/', url.indexOf('://') + 3)
  const file = slash < 0 ? '' : decoded(url.slice(slash))
  variables.set('SCRIPT_FILENAME', `proxy:${slash < 0 ? url : url.slice(0, slash)}${file ?? ''}`)
  variables.set('PATH_INFO', info)
  const script = variables.get('SCRIPT_NAME') ?? ''
  if (info === '/') {
    if (script === '/') variables.set('SCRIPT_NAME', '')
  } else if (script.length >= info.length) variables.set('SCRIPT_NAME', script.slice(0, script.length - info.length))
  return true
}

/** Null for a percent sign that begins no escape, and for an escaped slash or zero byte. */
function decoded(path: string): string | null {
  if (/%(?![0-9A-Fa-f]{2})|%2f|%00/i.test(path)) return null
  return path.replace(/%([0-9A-Fa-f]{2})/g, (_found, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
}
