/** How individual requests are shown: in a table, or one paragraph each. */
export type Detail = 'table' | 'list'

/**
 * The form of the response: the page, httpd's text form, JSON or metrics. `any` is the page unless the client
 * prefers metrics.
 */
export type Form = 'auto' | 'json' | 'metrics' | 'page' | 'any'

export interface StatusOptions {
  readonly form: Form
  readonly detail: Detail
  /** Seconds for the Refresh header; null for none. */
  readonly refresh: number | null
}

/**
 * Parses the query. As in httpd, its words match anywhere: `?noauto` requests the text form too. Our own
 * words match only as whole words, and only if none of httpd's selects another form.
 */
export function statusOptions(query: string | null): StatusOptions {
  const text = query ?? ''
  const isList = text.includes('notable')
  return { form: formOf(text, isList), detail: isList ? 'list' : 'table', refresh: refreshSeconds(text) }
}

function formOf(query: string, isList: boolean): Form {
  if (query.includes('auto')) return 'auto'
  if (isList) return 'page'
  const words = query.split(/[&;,]/).map((word) => word.split('=', 1)[0])
  return words.includes('json') ? 'json' : words.includes('metrics') ? 'metrics' : 'any'
}

function refreshSeconds(query: string): number | null {
  const found = /refresh(?:=\s*([+-]?\d+))?/.exec(query)
  if (found === null) return null
  const seconds = Number(found[1] ?? 0)
  return seconds < 1 ? 10 : seconds
}
