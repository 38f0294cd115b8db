import type { ModuleLog, OsError, Request } from '@gatewright/api'
import type { UpstreamConnection, UpstreamError } from '@gatewright/upstream'
import { BAD_MESSAGE, END_OF_FILE, type FaultLine, NO_HEADER, PacketFault, TIMED_OUT } from './faults.ts'
import type { PacketReader } from './packet-reader.ts'

/** `ADDRESS:PORT (HOST:PORT)` of a back end, for messages. */
export function addressOf(
  { remoteAddress, remotePort }: UpstreamConnection,
  { host, port }: { host: string; port: number },
): string {
  const address = remoteAddress === '' ? host : remoteAddress
  return `${address}:${remotePort === 0 ? port : remotePort} (${host}:${port})`
}

/** The fault of a packet that has not arrived. @param error null if the back end has closed the connection */
export function lost(packets: PacketReader, error: UpstreamError | null): PacketFault {
  const isTimeout = error?.code.endsWith('timeout') === true
  const cause: OsError | Error = isTimeout ? TIMED_OUT : (error?.cause ?? END_OF_FILE)
  if (packets.isInContent) {
    const text = `ajp_ilink_receive() error while receiving message body of length 4`
    return new PacketFault([{ code: 'AH01032', text, isOfRequest: false, cause }], BAD_MESSAGE)
  }
  const text = "ajp_ilink_receive() can't receive header"
  return new PacketFault([{ code: 'AH01030', text, isOfRequest: false, cause }], isTimeout ? TIMED_OUT : NO_HEADER)
}

/** Writes the lines about a packet. */
export function report(log: ModuleLog, request: Request, lines: readonly FaultLine[]): void {
  for (const { code, text, isOfRequest, cause } of lines) log.write(isOfRequest ? request : null, 'error', code, text, cause)
}
