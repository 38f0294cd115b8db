import type { RequestRecord } from './request-record.ts'

/** Adds methods to those that the Allow header lists. */
export function allowMethods(request: RequestRecord, methods: readonly string[]): void {
  request.allowed ??= new Set()
  for (const method of methods) request.allowed.add(method)
}

/** The value of an Allow header: the methods that handlers allow, and TRACE last if it is enabled. */
export function allowHeader(request: RequestRecord): string {
  const names = [...(request.allowed ?? [])]
  if (names.includes('GET') && !names.includes('HEAD')) names.splice(names.indexOf('GET') + 1, 0, 'HEAD')
  const listed = names.filter((name) => name !== 'TRACE')
  if (request.server.core.traceEnable !== 'off') listed.push('TRACE')
  return listed.join(',')
}
