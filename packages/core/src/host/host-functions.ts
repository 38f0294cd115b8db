import { beforeLogsClose, jsonLines, transactionOf } from '@gatewright/api'
import { chooseProtocol, http2StreamOf, servesName, trafficOf } from '@gatewright/api/peers'
import { createJsonLines, jsonTime } from '@gatewright/log'
import { RequestRecord } from '../model/request-record.ts'
import type { ServerConfiguration } from '../model/server-configuration.ts'
import { ServerRecord } from '../model/server-record.ts'
import { hasName } from '../model/virtual-hosts.ts'
import { TransactionRecord } from '../response/transaction-record.ts'
import { protocolChoice } from './choose-protocol.ts'
import { http2Stream } from './http2-stream.ts'

/**
 * Provides the host's own functions about requests. Call this before any module is loaded, so that modules
 * always find them.
 */
export function offerHostFunctions(configuration: ServerConfiguration, closing: (() => void)[]): void {
  const { functions, providers } = configuration
  functions.offer(transactionOf, (request) => new TransactionRecord(RequestRecord.of(request)))
  functions.offer(trafficOf, (request) => {
    const { exchange } = RequestRecord.of(request)
    return { received: exchange?.bytesReceived ?? 0, sent: exchange?.bytesSent ?? 0 }
  })
  functions.offer(servesName, (server, name, port) => server instanceof ServerRecord && hasName(server, name.toLowerCase(), port))
  functions.offer(chooseProtocol, protocolChoice(providers))
  functions.offer(http2StreamOf, http2Stream)
  functions.offer(jsonLines, () => {
    const line = createJsonLines()
    return (time, fields) => line({ '@timestamp': jsonTime(time), ...fields })
  })
  functions.offer(beforeLogsClose, (run) => void closing.push(run))
}
