import { type Command, chooseCache, directive, type SetResult } from '@gatewright/api'
import { internals } from '../../config/command-impl.ts'
import { type CoreTable, GLOBAL } from './types.ts'

/** SharedCache, which httpd does not have: the cache of HostServices.shared. */
export const sharedCacheDirectives: CoreTable = {
  SharedCache: directive.take1({
    scope: 'server',
    context: GLOBAL,
    help: 'the cache for what all processes, or several machines, should know: KIND or KIND:ARGUMENT',
    set: (_config, word, command) => setSharedCache(word, command),
  }),
}

function setSharedCache(word: string, command: Command): SetResult {
  const cache = chooseCache(word, command)
  if ('unknown' in cache) {
    const hint = `load the module of that kind in a line before this one: mod_socache_${cache.unknown}`
    return { message: `SharedCache: there is no kind of cache '${cache.unknown}'`, hint }
  }
  if ('error' in cache) return `SharedCache: ${cache.error}`
  internals(command).context.configuration.process.sharedCache = cache.open
  return undefined
}
