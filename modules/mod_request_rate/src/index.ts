import { contexts, DECLINED, defineModule, directive, type Module } from '@gatewright/api'
import { extendStatus } from '@gatewright/api/peers'
import { mergeRates, type RateConfig } from './config.ts'
import { addLintRules } from './lint.ts'
import { readRate } from './rate-limit.ts'
import { Rates } from './rates.ts'

/** Limits the rate of requests by clients, users or expressions. Not a module of httpd. */
const requestRate: Module<RateConfig> = defineModule<RateConfig>({
  name: 'request_rate_module',
  source: 'mod_request_rate.c',
  perDirectory: { create: () => ({}), merge: mergeRates },
  directives: {
    RequestRate: directive.argv({
      scope: 'directory',
      context: contexts.anywhere,
      override: 'Limit',
      help: 'a rate such as 10r/s, with burst=NUMBER, key=client, user or an expression, and shared; or off',
      set: (config: RateConfig, words, command) => {
        if (words.length === 1 && words[0].toLowerCase() === 'off') {
          config.limits = null
          return undefined
        }
        const limit = readRate(words, command)
        if (typeof limit === 'string') return limit
        config.limits = [...(config.limits ?? []), limit]
        return undefined
      },
    }),
    RequestRateDryRun: directive.flag({
      scope: 'directory',
      context: contexts.anywhere,
      override: 'Limit',
      help: 'On logs and counts requests above their rate, and serves them',
      set: (config: RateConfig, on) => {
        config.dryRun = on
      },
    }),
  },
  register(host) {
    const rates = new Rates(host)
    addLintRules(host)
    host.hooks.checkConfig.add(({ servers }) => rates.open(servers))
    // Before passwords are verified, which costs more than anything else.
    host.hooks.headerParser.add((request) => {
      const { limits } = host.configOf(request)
      return limits === undefined || limits === null ? DECLINED : rates.judge(request, limits, 'early')
    })
    host.hooks.fixups.add(
      (request) => {
        const { limits } = host.configOf(request)
        return limits === undefined || limits === null ? DECLINED : rates.judge(request, limits, 'late')
      },
      { rank: 'first' },
    )
    host.optionalHooks.add(extendStatus, (_request, form) => rates.status(form))
  },
})
export default requestRate
