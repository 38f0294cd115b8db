/** The letters after a number of bytes, with their factors. */
export const BYTE_UNITS: readonly (readonly [letter: string, bytes: number])[] = [
  ['B', 1],
  ['K', 1024],
  ['M', 1024 ** 2],
  ['G', 1024 ** 3],
]
