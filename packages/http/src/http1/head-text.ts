import type { KeepAliveTerms, ResponseHead } from '../response-head.ts'

/** Status line and fields up to those that the exchange adds. */
export function headBeforeOwn({ status, reason, fields, claimsHttp10 }: ResponseHead): string {
  return `${claimsHttp10 ? 'HTTP/1.0 ' : 'HTTP/1.1 '}${status} ${reason}\r\n${fields}`
}

/**
 * The fields about the connection, as lines.
 * @param options those that the host's modules set, null for none
 * @param terms null if the client does not use the token `keep-alive`; the terms are sent only to clients that use it
 */
export function connectionFields(options: string | null, persistent: boolean, terms: KeepAliveTerms | null): string {
  if (!persistent) return options === null ? 'Connection: close\r\n' : `Connection: ${withClose(options)}\r\n`
  if (terms === null) return options === null ? '' : `Connection: ${options}\r\n`
  return `Keep-Alive: ${keepAliveParameters(terms)}\r\nConnection: ${options === null ? '' : `${options}, `}Keep-Alive\r\n`
}

/** Value of the field Keep-Alive. */
export function keepAliveParameters({ timeout, requestsLeft }: KeepAliveTerms): string {
  return requestsLeft === Number.POSITIVE_INFINITY ? `timeout=${timeout}` : `timeout=${timeout}, max=${requestsLeft}`
}

/** Whether the value of a field Connection announces that the connection closes. */
export function containsClose(options: string): boolean {
  return options.split(',').some((option) => option.trim().toLowerCase() === 'close')
}

function withClose(options: string): string {
  return containsClose(options) ? options : `${options}, close`
}
