/** How single requests are shown: in a table, or a paragraph each. */
export type Detail = 'table' | 'list'

export interface StatusOptions {
  readonly auto: boolean
  readonly detail: Detail
  /** Seconds of the Refresh header, or null for none. */
  readonly refresh: number | null
}

/** httpd looks for its words anywhere in the query: `?noauto` asks for the text form, too. */
export function statusOptions(query: string | null): StatusOptions {
  const text = query ?? ''
  return { auto: text.includes('auto'), detail: text.includes('notable') ? 'list' : 'table', refresh: refreshSeconds(text) }
}

function refreshSeconds(query: string): number | null {
  const found = /refresh(?:=\s*([+-]?\d+))?/.exec(query)
  if (found === null) return null
  const seconds = Number(found[1] ?? 0)
  return seconds < 1 ? 10 : seconds
}
