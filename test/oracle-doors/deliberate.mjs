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
  // modules/mod_negotiation/README.md, "The ETag of a negotiated response": httpd leaves out the closing quotation mark.
  'ETag of a negotiated response': ({ field, expected, got }) =>
    field === 'field etag' && isCut(expected ?? '') && /^"[^"]*"$/.test(got ?? '') && expected.startsWith(got.slice(0, -1)),
  // packages/http/README.md: the server's own name counts where the host of an absolute target is empty.
  'absolute target with an empty host': (_, { request }) => /^http:\/\/\//i.test(request?.target ?? ''),
}

/** A tag of several parts that lacks its closing quotation mark. */
function isCut(etag) {
  return /^"[^"]*;[^"]*$/.test(etag)
}
