const UNITS: Readonly<Record<string, number>> = { '': 1, b: 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 }

/** A number of bytes, with `b`, `k`, `m` or `g` after it in any case; undefined for anything else. */
export function parseSize(word: string): number | undefined {
  const found = /^\+?(\d+)([bkmg]?)$/i.exec(word)
  if (found === null) return undefined
  const size = Number(found[1]) * UNITS[found[2].toLowerCase()]
  return Number.isSafeInteger(size) ? size : undefined
}
