/** Fields of the handshake of HTTP/1.1 that an extended CONNECT has no use for (RFC 8441 section 5). */
const OF_HTTP_1: readonly string[] = ['connection', 'upgrade', 'sec-websocket-accept']

/**
 * The fields of the response that accepts an extended CONNECT.
 * @param opening the head of a response of HTTP/1.1 with status 101
 * @returns lines; null if the opening is none
 */
export function tunnelHead(opening: string): string | null {
  if (!/^HTTP\/1\.1 101[ \r]/.test(opening)) return null
  const lines = opening.slice(opening.indexOf('\r\n') + 2).split('\r\n')
  const kept = lines.filter((line) => line !== '' && !OF_HTTP_1.includes(line.slice(0, line.indexOf(':')).toLowerCase()))
  return kept.map((line) => `${line}\r\n`).join('')
}
