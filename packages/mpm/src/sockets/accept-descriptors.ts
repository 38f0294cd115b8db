/**
 * A worker takes one connection per listening descriptor and turn of its event loop, as libuv does it, and pays for a turn what a small request costs. With each
 * socket under several descriptors it takes as many connections, when they wait, before it goes on.
 */
const ACCEPTS_PER_TURN = 4

/** A server with many addresses has enough descriptors as it is. */
const MOST_DESCRIPTORS = 64

/** The descriptors that a worker inherits for its sockets: all of them once, then all of them again, and so on. */
export function acceptDescriptors(sockets: readonly number[]): number[] {
  const times = Math.max(1, Math.min(ACCEPTS_PER_TURN, Math.floor(MOST_DESCRIPTORS / sockets.length)))
  return Array.from({ length: times }, () => sockets).flat()
}
