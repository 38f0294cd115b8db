import type { RequestRecord } from './request-record.ts'

/** The whole target of the request line, or what a redirect or sub-request was made for; for messages. */
export function targetAsSent({ main, prev, exchange, unparsedUri }: RequestRecord): string {
  return main === null && prev === null && exchange !== null ? exchange.target : unparsedUri
}

/** True for an absolute target of a scheme that only a proxy would serve. */
export function isForProxy({ exchange, prev }: RequestRecord): boolean {
  const scheme = prev === null && exchange !== null ? exchange.uri.scheme : ''
  return scheme !== '' && scheme !== 'http' && scheme !== 'https'
}
