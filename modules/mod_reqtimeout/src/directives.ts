import { contexts, type DirectiveTable, directive, type SetResult } from '@gatewright/api'
import type { ReqtimeoutConfig } from './config.ts'
import { parseReadTime } from './read-time.ts'

export const directives: DirectiveTable<undefined, ReqtimeoutConfig> = {
  RequestReadTimeout: directive.argv<ReqtimeoutConfig>({
    scope: 'server',
    context: contexts.inServers,
    help: 'handshake=, header= or body=, and seconds: T, T-M,MinRate=R or T,MinRate=R',
    set: (config, words) => {
      for (const word of words) {
        const error = setStage(config, word)
        if (error !== undefined) return error
      }
      return undefined
    },
  }),
}

function setStage(config: ReqtimeoutConfig, word: string): SetResult {
  const equals = word.indexOf('=')
  if (equals < 0) return "Invalid RequestReadTimeout parameter. Parameter must be in the form 'key=value'"
  const stage = word.slice(0, equals).toLowerCase()
  if (stage !== 'header' && stage !== 'body' && stage !== 'handshake') {
    return `RequestReadTimeout: ${word}: Unknown RequestReadTimeout parameter`
  }
  const limit = parseReadTime(word.slice(equals + 1))
  if (typeof limit === 'string') return `RequestReadTimeout: ${word}: ${limit}`
  config[stage] = limit
  return undefined
}
