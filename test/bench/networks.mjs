/** The client, 127.0.0.1, is in it; 127.0.0.2 is not. */
export const ADMITTED = '127.0.0.0/31'

/** 127.0.0.2 is in it, and the client is not. */
export const REFUSED = '127.0.0.2/31'

const PER_LINE = 100

/**
 * So many networks with gaps between them, so that nobody can join them, and one more as the last.
 * @param {number} count how many in all, at most 131,072
 */
export function networks(count, last) {
  return [
    ...Array.from({ length: count - 1 }, (_, index) => `${10 + (index >> 15)}.${(index >> 7) & 255}.${(index & 127) * 2}.0/24`),
    last,
  ]
}

/** Networks as they stand on lines, separated by spaces. */
export function inLines(networks) {
  return Array.from({ length: Math.ceil(networks.length / PER_LINE) }, (_, line) =>
    networks.slice(line * PER_LINE, (line + 1) * PER_LINE).join(' '),
  )
}
