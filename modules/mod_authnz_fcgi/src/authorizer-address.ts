import { isIP } from 'node:net'

/** Where an authorizer listens. */
export interface BackendAddress {
  /** `fcgi://HOST:PORT/` as written, for messages. */
  readonly url: string
  /** A name or an address, without brackets. */
  readonly host: string
  readonly port: number
}

const FORM = /^fcgi:\/\/(.*):(\d{1,5})\/?$/
const HIGHEST_PORT = 65_535

/** Reads `fcgi://HOST:PORT/`. @returns what is wrong with it otherwise */
export function backendAddress(url: string): BackendAddress | string {
  const [, host, digits] = FORM.exec(url) ?? []
  if (host === undefined || digits === undefined) return `backend-address '${url}' has invalid form`
  const port = Number(digits)
  if (port > HIGHEST_PORT) return `backend-address '${url}' has invalid port`
  return { url, host: host.replace(/^\[(.*)\]$/, '$1'), port }
}

/** Whether the host needs no look-up. */
export function isLiteral({ host }: BackendAddress): boolean {
  return isIP(host) !== 0
}
