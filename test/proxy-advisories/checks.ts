import type { Ports, Seen } from './advisory.ts'

/** A request for a target, the last one of its connection. */
export const get = (target: string, fields = ''): string =>
  `GET ${target} HTTP/1.1\r\nHost: HOST\r\n${fields}Connection: close\r\n\r\n`
export const pass = ({ backend }: Ports): readonly string[] => [`ProxyPass "/" "http://127.0.0.1:${backend}/"`]
export const rewriting = (...rules: readonly string[]): readonly string[] => ['RewriteEngine On', ...rules]
export const DENIED: readonly string[] = ['<Location "/denied">', 'Require all denied', '</Location>']

export const reachesNobody = ({ backend, secret }: Seen): string | null =>
  backend === '' && secret === '' ? null : `a request reached a backend: ${JSON.stringify(backend + secret)}`
export const secretIsSafe = ({ secret }: Seen): string | null =>
  secret === '' ? null : `a request reached another server: ${JSON.stringify(secret)}`
export const isRefused = (seen: Seen): string | null =>
  seen.status >= 400 && seen.status < 500 ? reachesNobody(seen) : `the status is ${seen.status}`
export const oneRequest = ({ backend }: Seen): string | null => {
  const count = [...backend.matchAll(/^[A-Z]+ [^\r\n]* HTTP\/1\.[01]\r?$/gm)].length
  return count <= 1 ? null : `the backend read ${count} requests: ${JSON.stringify(backend)}`
}
export const firstOf = (...faults: readonly (string | null)[]): string | null => faults.find((fault) => fault !== null) ?? null
