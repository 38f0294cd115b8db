/** Rates of modems in bytes per second, by the standard of the ITU in lower case. */
export const MODEMS: ReadonlyMap<string, number> = new Map([
  ['v.21', bytesPerSecond(0.1)],
  ['v.26bis', bytesPerSecond(2.4)],
  ['v.32', bytesPerSecond(9.6)],
  ['v.34', bytesPerSecond(28.8)],
  ['v.92', bytesPerSecond(56)],
])

/** @param kilobits per second, of 1024 bits as httpd counts them */
function bytesPerSecond(kilobits: number): number {
  return Math.floor((kilobits * 1024) / 8)
}
