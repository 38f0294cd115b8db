import { median, spread } from './statistics.mjs'

/** The maximum share of the two cores that other programs may use in a quiet round. */
const QUIET_PERCENT = 5

/** Whether other programs did not disturb a round. */
export function isQuiet({ othersPercent }) {
  return othersPercent <= QUIET_PERCENT
}

/** The least disturbed attempt at a round. */
export function quietest(attempts) {
  return attempts.reduce((best, each) => (each.othersPercent < best.othersPercent ? each : best))
}

/** Medians of the quiet rounds, or of all if none was quiet. */
export function summarize(rounds) {
  const quiet = rounds.filter(isQuiet)
  const counted = quiet.length > 0 ? quiet : rounds
  const of = (key) => counted.map((round) => round[key])
  return {
    requestsPerSecond: median(of('requestsPerSecond')),
    spreadPercent: spread(of('requestsPerSecond')),
    cpuMicroseconds: median(of('cpuMicroseconds')),
    corePercent: median(of('corePercent')),
    othersPercent: median(of('othersPercent')),
    p50Milliseconds: median(of('p50Milliseconds')),
    p99Milliseconds: median(of('p99Milliseconds')),
    quietRounds: quiet.length,
    socketErrors: rounds.reduce((sum, round) => sum + round.socketErrors, 0),
    rounds,
  }
}
