/** `gzip` as an item of the list, with all that follows it up to the next one. Blanks part items as commas do: httpd reads token by token. */
const GZIP_ITEM = /(?:^|[\s,])gzip(?![^\s,;])\s*(?:;\s*([^\s,;]*))?/i

/** A weight of nothing at all. */
const ZERO_WEIGHT = /^q=0(?:\.0*)?$/

/**
 * Whether an Accept-Encoding field lists gzip. Only its name counts: neither `*` nor `x-gzip` stand for it. Of its parameters only a first one
 * of `q=0` counts, and of several items the first.
 */
export function acceptsGzip(field: string | undefined): boolean {
  if (field === undefined) return false
  const item = GZIP_ITEM.exec(field)
  return item !== null && !ZERO_WEIGHT.test(item[1] ?? '')
}
