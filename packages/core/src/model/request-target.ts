import type { RequestRecord } from './request-record.ts'

/** The complete target of the request line, or the target of a redirect or sub-request; for messages. */
export function targetAsSent({ main, prev, exchange, unparsedUri }: RequestRecord): string {
  return main === null && prev === null && exchange !== null ? exchange.target : unparsedUri
}

/** Whether an absolute target has a scheme that only a proxy would serve. */
export function isForProxy({ exchange, prev }: RequestRecord): boolean {
  const scheme = prev === null && exchange !== null ? exchange.uri.scheme : ''
  return scheme !== '' && scheme !== 'http' && scheme !== 'https'
}
