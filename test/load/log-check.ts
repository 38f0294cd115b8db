import type { ServerUnderLoad } from './server-under-load.ts'

export interface LogCheck {
  readonly lines: number
  /** Ids of requests that were answered rightly and are in no access log. */
  readonly lost: readonly number[]
  /** Ids that are there more than once. */
  readonly duplicated: readonly number[]
}

/** Compares the access logs of a server that has ended, including renamed ones, with its clients' records. */
export function comparedWithLog(site: ServerUnderLoad): LogCheck {
  const times = new Map<number, number>()
  const ids = site.loggedIds()
  for (const id of ids) times.set(id, (times.get(id) ?? 0) + 1)
  return {
    lines: ids.length,
    lost: [...site.load.right].filter((id) => !times.has(id)),
    duplicated: [...times].filter(([, count]) => count > 1).map(([id]) => id),
  }
}
