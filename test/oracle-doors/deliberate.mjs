// Differences that are deliberate: each is listed in docs/differences.md.

/**
 * The name of the deliberate difference that a difference is, or null.
 * @param difference `{ field, expected, got }`
 * @param context the request, its host and world, and all differences of the request
 */
export function deliberate(difference, context) {
  for (const [name, matches] of Object.entries(DELIBERATE)) if (matches(difference, context)) return name
  return null
}

const DELIBERATE = {
  // modules/mod_negotiation/README.md, "The ETag of a negotiated response": httpd leaves out the closing quotation mark,
  // and one more character for each further search for variants.
  'ETag of a negotiated response': ({ field, expected, got }) =>
    field === 'field etag' && /^(W\/)?"[^"]*"$/.test(got ?? '') && isCut(expected ?? '', got),
  // packages/http/README.md: the server's own name counts where the host of an absolute target is empty.
  'absolute target with an empty host': (_, { request }) => /^http:\/\/\//i.test(request?.target ?? ''),
}

/** True if a tag of several parts lacks as many characters at its end as it has parts after the first. */
function isCut(cut, whole) {
  return cut.includes(';') && whole.startsWith(cut) && whole.length - cut.length === whole.split(';').length - 1
}
