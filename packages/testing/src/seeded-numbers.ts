/**
 * Whole numbers from 0 to below a limit. They are the same in every run, so that failures are reproducible.
 */
export function seededNumbers(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}
