/** Contains the client, 127.0.0.1, but not 127.0.0.2. */
export const ADMITTED = '127.0.0.0/31'

/** Contains 127.0.0.2, but not the client. */
export const REFUSED = '127.0.0.2/31'

const PER_LINE = 100

/**
 * Networks with gaps between them, so that they cannot be merged, and one more as the last.
 * @param {number} count the total number, at most 131,072
 */
export function networks(count, last) {
  return [
    ...Array.from({ length: count - 1 }, (_, index) => `${10 + (index >> 15)}.${(index >> 7) & 255}.${(index & 127) * 2}.0/24`),
    last,
  ]
}

/** Networks as words in lines. */
export function inLines(networks) {
  return Array.from({ length: Math.ceil(networks.length / PER_LINE) }, (_, line) =>
    networks.slice(line * PER_LINE, (line + 1) * PER_LINE).join(' '),
  )
}
