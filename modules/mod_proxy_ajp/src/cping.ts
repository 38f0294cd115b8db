import type { ProxyPassing } from '@gatewright/api'
import { PlainExchange, type UpstreamConnection, type UpstreamError } from '@gatewright/upstream'
import { PacketFault, UNSPECIFIC } from './faults.ts'
import { lost } from './link.ts'
import { pingPacket } from './message-writer.ts'
import { PacketReader } from './packet-reader.ts'
import { PACKET } from './response-packet.ts'

/** The longest packet that may answer. */
const LONGEST = 128

/**
 * Asks a back end whether it is there.
 * @returns null if it is, and has sent nothing more; otherwise why not, and the connection is closed
 */
export function ping({ request }: ProxyPassing, connection: UpstreamConnection, timeout: number): Promise<PacketFault | null> {
  return new Promise((resolve) => {
    const packets = new PacketReader(LONGEST)
    const end = (fault: PacketFault | null): void => {
      if (fault === null) exchange.complete()
      else exchange.abort()
      resolve(fault)
    }
    const fail = (fault: PacketFault): void => {
      const text = 'ajp_handle_cping_cpong: ajp_ilink_receive failed'
      end(new PacketFault([...fault.lines, { code: 'AH01012', text, isOfRequest: true }], fault.cause))
    }
    const exchange = new PlainExchange(connection, timeout, {
      onData(bytes) {
        try {
          packets.add(bytes)
          const content = packets.next()
          if (content === null) return packets.keep()
          const type = content.length === 0 ? 0 : content[0]
          if (type === PACKET.cpong && packets.isEmpty) return end(null)
          const text = `ajp_handle_cping_cpong: awaited CPONG, received ${type} `
          end(new PacketFault([{ code: 'AH01014', text, isOfRequest: true }], UNSPECIFIC))
        } catch (error) {
          if (!(error instanceof PacketFault)) throw error
          fail(error)
        }
      },
      onEnd: () => fail(lost(packets, null)),
      onError: (error: UpstreamError) => fail(lost(packets, error)),
    })
    request.whenGone(() => fail(lost(packets, null)))
    exchange.write(pingPacket())
    exchange.endRequest()
  })
}
