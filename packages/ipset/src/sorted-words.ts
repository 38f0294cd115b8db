/** How many of the sorted words are at most `limit`. */
export function countUpTo(words: Uint32Array, limit: number): number {
  let low = 0
  let high = words.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (words[middle] <= limit) low = middle + 1
    else high = middle
  }
  return low
}
