import { defineModule, FILTER_RANK, type Module, type Request } from '@gatewright/api'
import { wholeNumber } from '@gatewright/filters'

const KIB = 1024

/** RATE_LIMIT: sends responses at the rate that the environment states. */
const ratelimit: Module = defineModule({
  name: 'ratelimit_module',
  source: 'mod_ratelimit.c',
  register({ providers, log }) {
    providers.outputFilters.add('RATE_LIMIT', {
      name: 'RATE_LIMIT',
      rank: FILTER_RANK.connection,
      filter: (request, body) => {
        const rate = kibibytes(request, 'rate-limit')
        if (rate === null || request.main !== null) return body
        if (rate <= 0) {
          log.write(request, 'info', 'AH03488', `rl: disabling: rate-limit = ${rate} (too high?)`)
          return body
        }
        const burst = kibibytes(request, 'rate-initial-burst') ?? 0
        if (burst < 0) {
          log.write(request, 'info', 'AH03489', `rl: disabling: rate-initial-burst = ${burst} (too high?)`)
          return body
        }
        request.sendRate = { bytesPerSecond: rate * KIB, burst: burst * KIB }
        return body
      },
    })
  },
})
export default ratelimit

/** A variable as a number of KiB; null if it is not set. */
function kibibytes(request: Request, name: string): number | null {
  const text = request.env.get(name)
  return text === undefined ? null : wholeNumber(text)
}
