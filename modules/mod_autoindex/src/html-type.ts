/** A content type without its parameters. */
export function mediaType(contentType: string | null): string | null {
  if (contentType === null) return null
  const semicolon = contentType.indexOf(';')
  return (semicolon < 0 ? contentType : contentType.slice(0, semicolon)).trim()
}

export function isHtml(contentType: string | null): boolean {
  const type = mediaType(contentType)?.toLowerCase()
  return type === 'text/html' || type === 'application/xhtml+xml'
}
