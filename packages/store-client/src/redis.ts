import { type StoreAddress, titleOf } from './addresses.ts'
import { Link } from './link.ts'
import type { KeyValueServer } from './remote-servers.ts'
import { encodeCommand, RespParser, type RespReply, ServerError } from './resp.ts'

/** A server that speaks the protocol of Redis. @param limit milliseconds for a reply */
export function redisServer(address: StoreAddress, limit: number): KeyValueServer {
  const link = new Link<RespReply>(address, () => new RespParser(), limit)
  const ask = async (...words: (string | Uint8Array)[]): Promise<Exclude<RespReply, ServerError>> => {
    const reply = await link.ask(encodeCommand(words))
    if (reply instanceof ServerError) throw reply
    return reply
  }
  return {
    title: `redis server ${titleOf(address)}`,
    async get(key) {
      const reply = await ask('GET', key)
      return reply instanceof Uint8Array ? reply : undefined
    },
    async set(key, bytes, lifetime) {
      await ask('SET', key, bytes, 'PX', String(Math.max(1, Math.floor(lifetime))))
    },
    async delete(key) {
      await ask('DEL', key)
    },
    close: () => link.close(),
  }
}
