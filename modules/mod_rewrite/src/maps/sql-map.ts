import { isDatabaseUnavailable } from '@gatewright/api'
import { askShown, rowsText, statementQuestion } from '@gatewright/api/tracing'
import type { Run } from '../run.ts'
import { type RewriteMap, traceLookup } from './rewrite-map.ts'

/** The most answers that a map of type `fastdbd` remembers; new ones replace the oldest. */
const MOST_REMEMBERED = 10_000

/** A map of type `dbd`: a query of mod_dbd's databases, with the key for its placeholder. */
export function sqlMap(name: string, query: string): RewriteMap {
  return { query, find: (key, run) => find(name, query, key, run) }
}

/** A map of type `fastdbd`: like `dbd`, but values that were found are remembered until the next restart or reload. */
export function fastSqlMap(name: string, query: string): RewriteMap {
  const known = new Map<string, string>()
  return {
    query,
    find: (key, run) => {
      const remembered = known.get(key)
      if (remembered !== undefined) {
        traceLookup(run, `${name}[SQL]`, key, remembered)
        return remembered
      }
      const value = find(name, query, key, run)
      if (run.waiting === null && value !== null) remember(known, key, value)
      return value
    },
  }
}

function remember(known: Map<string, string>, key: string, value: string): void {
  known.set(key, value)
  for (const oldest of known.keys()) {
    if (known.size <= MOST_REMEMBERED) return
    known.delete(oldest)
  }
}

function find(name: string, query: string, key: string, run: Run): string | null {
  const value = run.ask(run.texts, `${name} ${key}`, () => look(query, key, run))
  if (run.waiting === null) traceLookup(run, `${name}[SQL]`, key, value)
  return value
}

/** The label of the statement of a map. */
export function labelOf(query: string): string {
  return `rewritemap ${query}`
}

/** One of the values of the first column, at random; null without a row. */
async function look(query: string, key: string, run: Run): Promise<string | null> {
  const { request, log } = run
  const database = run.database(request.server)
  if (database === undefined) {
    log.write(request, 'error', 'AH02963', NO_HANDLE)
    return null
  }
  // An explanation must not change the database.
  if (request.tracer !== null && !/^\s*(?:select|with|values)\b/i.test(query)) return null
  try {
    const found = await askShown(request, {
      ...statementQuestion(database.driver, query, [key]),
      ask: () => database.select(labelOf(query), [key]),
      shown: rowsText,
    })
    const rows = found?.rows ?? []
    return rows[Math.floor(Math.random() * rows.length)]?.[0] ?? null
  } catch (error) {
    if (isDatabaseUnavailable(error)) log.write(request, 'error', 'AH02963', NO_HANDLE)
    else log.write(request, 'error', 'AH00657', `rewritemap: error ${messageOf(error)} querying for ${key}`)
    return null
  }
}

const NO_HANDLE = 'rewritemap: No db handle available! Check your database access'

/** The database's message as byte string. */
function messageOf(error: unknown): string {
  return Buffer.from(error instanceof Error ? error.message : String(error), 'utf8').toString('latin1')
}
