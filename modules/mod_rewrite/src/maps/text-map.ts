import { readRegularFile, type WatchedFile } from '@gatewright/api'
import type { Run } from '../run.ts'
import { type RewriteMap, traceLookup } from './rewrite-map.ts'

/** A map of type `txt`: a text file with a key and its value in each line, read again when it changes. */
export function textMap(name: string, path: string): RewriteMap {
  return { find: finder(name, path) }
}

/** A map of type `rnd`: the same, the value is one of the alternatives that `|` separates. */
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

type Entries = ReadonlyMap<string, string>

function finder(name: string, path: string): (key: string, run: Run) => string | null {
  let file: WatchedFile<Entries> | null = null
  return (key, run) => {
    file ??= run.services.watchFile([path], () => parseEntries(readRegularFile(path)))
    let entries: Entries
    try {
      entries = file.current()
    } catch (error) {
      if (!(error instanceof Error)) throw error
      run.log.write(run.request, 'error', 'AH00661', `mod_rewrite: can't access text RewriteMap file ${path}`, error)
      entries = NO_ENTRIES
    }
    const value = entries.get(key) ?? null
    traceLookup(run, `${name}[txt]`, key, value)
    return value
  }
}

const NO_ENTRIES: Entries = new Map()

/** A key, blanks, and the value up to the next blank; comments begin with `#`. The first line of a key counts. */
function parseEntries(text: string): Entries {
  const entries = new Map<string, string>()
  for (const line of text.split('\n')) {
    if (line.startsWith('#')) continue
    const [key, value] = line.trim() === line.trimEnd() ? line.split(/\s+/, 2) : []
    if (key !== undefined && key !== '' && value !== undefined && value !== '' && !entries.has(key)) entries.set(key, value)
  }
  return entries
}
