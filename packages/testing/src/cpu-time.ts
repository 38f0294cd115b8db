/**
 * Starts to count the processor time of this thread. Unlike the time on the clock it does not grow while other programs use the processors, so a test may compare two
 * such figures, or hold one against a bound that only runaway work exceeds.
 * @returns a function that reports the milliseconds spent since then
 */
export function cpuStopwatch(): () => number {
  const before = process.threadCpuUsage()
  return () => {
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000
  }
}
