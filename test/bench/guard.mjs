import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const RECORD = join(import.meta.dirname, 'guard.json')
/** How far a ratio may be above the recorded one, in percent. On a machine that others use, single runs differ by more: repeat them. */
const ALLOWED_PERCENT = 15

/** The scenarios and servers that are compared: the loads of nearly all requests, and Node's own sockets, which do not change. */
export const GUARDED = { scenarios: ['small', 'new-connections', 'denied'], servers: ['gatewright', 'bare-node'] }

/** @returns {Record<string, number>} our CPU time for each request divided by that of bare Node, for each scenario */
export function guardedRatios(results) {
  return Object.fromEntries(results.map(({ name, ratios }) => [name, ratios['bare-node'].cpuMicroseconds]))
}

export function recordedRatios() {
  return JSON.parse(readFileSync(RECORD, 'utf8'))
}

export function record(ratios) {
  const rounded = Object.entries(ratios).map(([name, ratio]) => [name, Number(ratio.toFixed(2))])
  writeFileSync(RECORD, `${JSON.stringify(Object.fromEntries(rounded), null, 2)}\n`)
}

/**
 * Compares ratios with the recorded ones.
 * @returns {{ text: string, isSlower: boolean }} a table, and whether a ratio is above what is allowed
 */
export function compareRatios(measured, recorded) {
  const rows = Object.entries(measured).map(([name, ratio]) => {
    const percent = 100 * (ratio / recorded[name] - 1)
    return { name, ratio, known: recorded[name], percent, isSlower: percent > ALLOWED_PERCENT }
  })
  const lines = rows.map(
    ({ name, ratio, known, percent, isSlower }) =>
      `  ${name.padEnd(18)}${ratio.toFixed(2).padStart(8)}${known.toFixed(2).padStart(10)}${percent.toFixed(0).padStart(8)} %${isSlower ? '  slower' : ''}`,
  )
  const title = `guard: CPU time for each request, divided by that of bare Node; at most ${ALLOWED_PERCENT} % above the recorded ratio`
  const heading = `  ${''.padEnd(18)}${'now'.padStart(8)}${'recorded'.padStart(10)}${'change'.padStart(10)}`
  return { text: [title, heading, ...lines].join('\n'), isSlower: rows.some(({ isSlower }) => isSlower) }
}
