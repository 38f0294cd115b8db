import type { StoredEntry, StoredFiles } from './stored-files.ts'

/** The lines of -a: the URL of each response that requests can find. */
export function urlLines({ entries }: StoredFiles): string {
  return linesOf(entries, ({ url }) => url)
}

/** The lines of -A, with the fields of httpd's htcacheclean; times are microseconds since 1970. */
export function attributeLines({ entries }: StoredFiles): string {
  return linesOf(entries, ({ url, head, body, attributes }) => {
    if (attributes === null) return url
    const { status, date, expires, requestTime, responseTime, headerOnly } = attributes
    const times = [date, expires, requestTime, responseTime].map((time) => Math.round(time * 1000))
    return [url, head.size, body?.size ?? 0, status, 0, ...times, body === null ? 0 : 1, headerOnly ? 1 : 0].join(' ')
  })
}

function linesOf(entries: readonly StoredEntry[], line: (entry: StoredEntry) => string): string {
  return entries
    .filter(({ isKnown }) => isKnown)
    .map((entry) => `${line(entry)}\n`)
    .join('')
}
