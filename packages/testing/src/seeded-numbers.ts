/** Whole numbers from 0 to below a limit: the same in every run, so that what fails once fails again. */
export function seededNumbers(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}
