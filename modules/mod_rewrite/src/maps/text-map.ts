import type { MaybePromise, SearchedFile } from '@gatewright/api'
import type { Run } from '../run.ts'
import { type Entries, EntryReader } from './entry-reader.ts'
import { type RewriteMap, traceLookup } from './rewrite-map.ts'

/** A map of type `txt`: a text file with a key and its value on each line, reloaded after it changes. */
export function textMap(name: string, path: string): RewriteMap {
  return { find: finder(name, path) }
}

/** A map of type `rnd`: like `txt`, but the value is one of several alternatives separated by `|`. */
export function randomMap(name: string, path: string): RewriteMap {
  const find = finder(name, path)
  return {
    find: (key, run) => {
      const value = find(key, run)
      if (value === null || !value.includes('|')) return value
      const choices = value.split('|')
      const chosen = choices[Math.floor(Math.random() * choices.length)] ?? value
      run.trace?.write(5, null, `randomly chosen the subvalue \`${chosen}'`)
      return chosen
    },
  }
}

function finder(name: string, path: string): (key: string, run: Run) => string | null {
  let file: SearchedFile<Entries> | null = null
  return (key, run) => {
    file ??= run.services.searchFile(path, (keys) => new EntryReader(keys))
    const unreadable = (error: unknown): null => {
      if (!(error instanceof Error)) throw error
      run.log.write(run.request, 'error', 'AH00661', `mod_rewrite: can't access text RewriteMap file ${path}`, error)
      return null
    }
    const value = run.ask(run.texts, `${name} ${key}`, () => look(file, key, unreadable))
    if (run.waiting === null) traceLookup(run, `${name}[txt]`, key, value)
    return value
  }
}

function look(
  file: SearchedFile<Entries> | null,
  key: string,
  unreadable: (error: unknown) => null,
): MaybePromise<string | null> {
  let found: MaybePromise<Entries> | undefined
  try {
    found = file?.find(key)
  } catch (error) {
    return unreadable(error)
  }
  if (found instanceof Promise) return found.then((entries) => entries.get(key) ?? null, unreadable)
  return found?.get(key) ?? null
}
