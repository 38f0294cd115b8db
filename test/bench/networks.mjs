/** The client, 127.0.0.1, is in it; 127.0.0.2 is not. */
export const ADMITTED = '127.0.0.0/31'

/** 10,000 networks with gaps between them, so that nobody can join them, and the client's as the last. */
export const NETWORKS = [...Array.from({ length: 9_999 }, (_, index) => `10.${index >> 7}.${(index & 127) * 2}.0/24`), ADMITTED]

const PER_LINE = 100

/** The networks as they stand on lines, separated by spaces. */
export function inLines(networks) {
  return Array.from({ length: Math.ceil(networks.length / PER_LINE) }, (_, line) =>
    networks.slice(line * PER_LINE, (line + 1) * PER_LINE).join(' '),
  )
}
