import { type StoreAddress, titleOf } from './addresses.ts'
import { Link } from './link.ts'
import type { KeyValueServer } from './remote-servers.ts'
import { encodeCommand, RespParser, type RespReply, ServerError } from './resp.ts'
import { Subscriber } from './subscriber.ts'

/**
 * Adds to a number, which gets its life when it is made. A script is one step: between two commands the key could expire, and
 * the second one would make it again without an end.
 */
const INCREMENT = `
local now = redis.call('GET', KEYS[1])
if not now then
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  return tonumber(ARGV[1])
end
if not string.match(now, '^%d+$') or #now > 16 then return false end
if tonumber(now) + tonumber(ARGV[1]) > 9007199254740991 then return 9007199254740991 end
return redis.call('INCRBY', KEYS[1], ARGV[1])`

/** Keeps bytes if the present ones are as expected; the third argument is empty if there must be none. */
const COMPARE_AND_SET = `
local now = redis.call('GET', KEYS[1])
if ARGV[3] == '' then
  if now then return 0 end
elseif now ~= ARGV[4] then
  return 0
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`

/** A server that speaks the protocol of Redis. @param limit milliseconds for a reply */
export function redisServer(address: StoreAddress, limit: number): KeyValueServer {
  const link = new Link<RespReply>(address, () => new RespParser(), limit)
  const subscriber = new Subscriber(address, limit)
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
      await ask('SET', key, bytes, 'PX', lifeText(lifetime))
    },
    async delete(key) {
      await ask('DEL', key)
    },
    async increment(key, amount, lifetime) {
      const reply = await ask('EVAL', INCREMENT, '1', key, String(amount), lifeText(lifetime))
      return typeof reply === 'number' ? reply : undefined
    },
    async compareAndSet(key, expected, bytes, lifetime) {
      const former = expected === undefined ? ['', ''] : ['expected', expected]
      return (await ask('EVAL', COMPARE_AND_SET, '1', key, bytes, lifeText(lifetime), ...former)) === 1
    },
    messages: {
      async publish(channel, bytes) {
        await ask('PUBLISH', channel, bytes)
      },
      subscribe: (channel, listener) => subscriber.subscribe(channel, listener),
    },
    close() {
      link.close()
      subscriber.close()
    },
  }
}

/** A life in whole milliseconds; Redis knows none of 0. */
function lifeText(milliseconds: number): string {
  return String(Math.max(1, Math.floor(milliseconds)))
}
