/** How single requests are shown: in a table, or a paragraph each. */
export type Detail = 'table' | 'list'

/** What is answered: the page, httpd's text form, or one of our own. `any`: the page, unless the client would rather have metrics. */
export type Form = 'auto' | 'json' | 'metrics' | 'page' | 'any'

export interface StatusOptions {
  readonly form: Form
  readonly detail: Detail
  /** Seconds of the Refresh header, or null for none. */
  readonly refresh: number | null
}

/**
 * httpd looks for its words anywhere in the query: `?noauto` asks for the text form, too. The words that are not httpd's count only as whole words, and only where
 * none of httpd's asks for another form.
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
