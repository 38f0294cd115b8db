import { DbmLookup } from '@gatewright/dbm'
import { type RewriteMap, traceLookup } from './rewrite-map.ts'

/** A map of type `dbm`: a DBM file, reopened after it changes. */
export function databaseMap(name: string, path: string, type: string): RewriteMap {
  let lookup: DbmLookup | null = null
  return {
    find: (key, run) => {
      lookup ??= new DbmLookup((paths, open) => run.services.watchFile(paths, open))
      const found = lookup.find(path, type, [key])
      if (typeof found === 'object') {
        run.log.write(run.request, 'error', 'AH00656', `mod_rewrite: can't open DBM RewriteMap ${path}`, found)
        return null
      }
      traceLookup(run, `${name}[dbm]`, key, found ?? null)
      return found ?? null
    },
  }
}
