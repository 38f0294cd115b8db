const performance = globalThis.performance

export { performance }

/** Nothing is measured in a page. */
export function monitorEventLoopDelay(): object {
  const nothing = (): number => 0
  return { enable: nothing, disable: nothing, reset: nothing, percentile: nothing, mean: 0, min: 0, max: 0, stddev: 0 }
}
