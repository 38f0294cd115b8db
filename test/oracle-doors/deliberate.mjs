// Differences that are deliberate: each stands in ARCHITECTURE.md under "Differences from httpd", or in a module's manual page.

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
  // ARCHITECTURE.md, "ETag of a negotiated response": httpd leaves out the closing quotation mark.
  'ETag of a negotiated response': ({ field, expected, got }) =>
    field === 'field etag' && got !== undefined && got === `${expected}"`,
}
