import type { ModuleLog, Request } from '@gatewright/api'

/** Values that are not URLs but results. */
export const RESULTS: ReadonlySet<string> = new Set(['error', 'nocontent'])

/**
 * The URL that a value of a map file means.
 * @param base '' if there is none
 * @returns null, with a line in the log, if the value leads above the root of its base
 */
export function resolveValue(request: Request, log: ModuleLog, base: string, value: string): string | null {
  const word = value.toLowerCase()
  if (word === 'map' || word === 'menu') return request.absoluteUrl(request.uri)
  if (RESULTS.has(word)) return value
  const referer = word === 'referer' ? (request.headersIn.get('Referer') ?? '') : null
  if (referer !== null && referer !== '') return referer
  const target = referer ?? value
  if (/^[a-z]*:/i.test(target)) return target
  if (base === '') return target === '' ? request.absoluteUrl('/') : target
  if (!base.includes('/') && climbs(target)) {
    log.write(request, 'error', 'AH00677', `invalid base directive in map file: ${request.uri}`)
    return null
  }
  const joined = join(base, target)
  if (joined === null) log.write(request, 'error', 'AH00678', `invalid directory name in map file: ${request.uri}`)
  return joined
}

function join(base: string, target: string): string | null {
  const start = startOfPath(base)
  const host = base.slice(0, start)
  const path = base.slice(start)
  if (target.startsWith('/')) return host + target
  // The last segment of the base names a document, unless a slash follows it.
  let folder = path.slice(0, path.lastIndexOf('/') + 1)
  let rest = target
  if (!climbs(rest)) return host + folder + rest
  if (folder.length > 1) folder = folder.slice(0, -1)
  while (climbs(rest)) {
    if (folder === '') return null
    folder = folder.slice(0, folder.lastIndexOf('/'))
    rest = rest.slice(2)
    if (/^\/\.\.(?:\/|$)/.test(rest)) rest = rest.slice(1)
  }
  return host + folder + rest
}

/** The first slash that is not one of two. */
function startOfPath(base: string): number {
  let at = 0
  while (at < base.length && base[at] !== '/') at++
  if (base[at + 1] !== '/') return at
  const slash = base.indexOf('/', at + 2)
  return slash < 0 ? base.length : slash
}

function climbs(target: string): boolean {
  return target === '..' || target.startsWith('../')
}
