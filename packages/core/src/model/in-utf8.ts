/**
 * Returns a media type with charset UTF-8.
 * @throws TypeError if the type has another charset
 */
export function inUtf8(type: string): string {
  const charset = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(type)?.[1]
  if (charset === undefined) return `${type}; charset=utf-8`
  if (!/^utf-?8$/i.test(charset)) throw new TypeError(`sendText sends UTF-8, but the content type specifies ${charset}`)
  return type
}
