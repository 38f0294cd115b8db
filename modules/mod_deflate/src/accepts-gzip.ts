/**
 * `gzip` as an item of the list, with its parameters. Blanks separate items as commas do, because httpd reads
 * token by token.
 */
const GZIP_ITEM = /(?:^|[\s,])gzip(?![^\s,;])\s*(?:;\s*([^\s,;]*))?/i

/** A quality of zero. */
const ZERO_WEIGHT = /^q=0(?:\.0*)?$/

/**
 * Whether an Accept-Encoding field lists gzip. Only this name counts, not `*` or `x-gzip`. Of its parameters,
 * only a leading `q=0` counts, and of several items only the first.
 */
export function acceptsGzip(field: string | undefined): boolean {
  if (field === undefined) return false
  const item = GZIP_ITEM.exec(field)
  return item !== null && !ZERO_WEIGHT.test(item[1] ?? '')
}
