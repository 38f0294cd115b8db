import type { HeartbeatServer } from '@gatewright/api/peers'

/** A server that has not been heard of for this time, in milliseconds, is forgotten. */
export const LONGEST_SILENCE = 30_000
/** More addresses are not kept: anybody can send messages in the name of others. */
export const MOST_SERVERS = 10_000

/** What a server says of itself. */
export interface Heartbeat {
  readonly address: string
  readonly ready: number
  readonly busy: number
  /** Its port; null where it does not say, or what it says is none. */
  readonly port: number | null
}

/** A number as a C program keeps it in 32 bits without a sign. */
export function unsigned(number: number): number {
  return number >>> 0
}

/** The servers that were heard of. */
export interface HeardServers {
  /** @param soon whether others have to see it at once, not with the next {@link HeardServers.keep} */
  hear(heartbeat: Heartbeat, soon: boolean): void | Promise<void>
  /** Called every five seconds in the process that listens. */
  keep(): void | Promise<void>
  /** Null where they are in a file. */
  known(): readonly HeartbeatServer[] | null
}
