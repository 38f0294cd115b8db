/** How a URI begins with a path, in the way servlet containers compare paths. */
export interface ServletMatch {
  /** Where the rest of the URI begins. It has its parameters. */
  readonly length: number
  /** The URI as the container reads it: without parameters of segments, and `..` segments resolved. */
  readonly uri: string
}

/**
 * Compares a URI with the path of a ProxyPass line as servlet containers do: `;name=value` after a segment is no part of
 * it, so that `/app;x/admin` is `/app/admin`, and `..;x` is `..`.
 * @param uri begins with a slash and is percent-encoded
 * @returns null if the URI does not begin with the path, or leads above the root
 */
export function matchServlet(uri: string, path: string): ServletMatch | null {
  const found = segmentsOf(uri)
  if (found === null || !path.startsWith('/')) return null
  const { segments, endsWithSlash } = found
  const wanted = path.split('/').filter((name) => name !== '')
  const slashWanted = path.endsWith('/')
  if (wanted.length > segments.length || wanted.some((name, index) => name !== segments[index].name)) return null
  const isWhole = wanted.length === segments.length
  if (isWhole && slashWanted && !endsWithSlash) return null
  const last = wanted.length === 0 || slashWanted ? -1 : segments[wanted.length - 1].parameters
  let length = isWhole ? uri.length : last >= 0 ? last : segments[wanted.length].start
  if (!slashWanted && uri[length - 1] === '/') length--
  const names = segments.map(({ name }) => name).join('/')
  return { length, uri: `/${names}${endsWithSlash && names !== '' ? '/' : ''}` }
}

interface Segment {
  readonly name: string
  /** Where it begins in the URI, with segments before it that have no meaning. */
  readonly start: number
  /** Where its parameters begin; -1 without. */
  readonly parameters: number
}

/** null above the root. */
function segmentsOf(uri: string): { readonly segments: readonly Segment[]; readonly endsWithSlash: boolean } | null {
  const segments: Segment[] = []
  let endsWithSlash = true
  let begin = 1
  for (let at = 1; at < uri.length; ) {
    const slash = uri.indexOf('/', at)
    const end = slash < 0 ? uri.length : slash
    const semicolon = uri.slice(at, end).indexOf(';')
    const name = uri.slice(at, semicolon < 0 ? end : at + semicolon)
    if (name === '..') {
      if (segments.pop() === undefined) return null
      begin = end + 1
      endsWithSlash = true
    } else if (name !== '' && name !== '.') {
      while (uri[begin] === '/') begin++
      segments.push({ name, start: begin, parameters: semicolon < 0 ? -1 : at + semicolon })
      begin = end + 1
      endsWithSlash = slash >= 0
    }
    at = end + 1
  }
  return { segments, endsWithSlash }
}
