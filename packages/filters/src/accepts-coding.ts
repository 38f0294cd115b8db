/**
 * Makes a test whether an Accept-Encoding field lists a content coding. Only its name counts, not `*` or `x-gzip` for
 * gzip. Of its parameters, only a leading `q=0` counts, and of several items only the first. Blanks separate items as
 * commas do, because httpd reads token by token.
 * @param coding letters only
 */
export function codingAcceptor(coding: string): (field: string | undefined) => boolean {
  const listed = new RegExp(`(?:^|[\\s,])${coding}(?![^\\s,;])\\s*(?:;\\s*([^\\s,;]*))?`, 'i')
  return (field) => {
    if (field === undefined) return false
    const item = listed.exec(field)
    return item !== null && !ZERO_WEIGHT.test(item[1] ?? '')
  }
}

/** A quality of zero, which has at most three decimals. */
const ZERO_WEIGHT = /^q=0(?:\.0{0,3})?$/
