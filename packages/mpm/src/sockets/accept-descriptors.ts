/**
 * A worker accepts one connection per listening descriptor and turn of its event loop, because libuv does so,
 * and a turn costs as much as a small request. With each socket under several descriptors it accepts as many
 * pending connections before it continues.
 */
const ACCEPTS_PER_TURN = 4

/** A server with many addresses has enough descriptors already. */
const MOST_DESCRIPTORS = 64

/**
 * The descriptors that a worker inherits for its sockets: all of them once, then all of them again, and so
 * on.
 */
export function acceptDescriptors(sockets: readonly number[]): number[] {
  const times = Math.max(1, Math.min(ACCEPTS_PER_TURN, Math.floor(MOST_DESCRIPTORS / sockets.length)))
  return Array.from({ length: times }, () => sockets).flat()
}
