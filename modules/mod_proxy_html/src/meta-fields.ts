/** Header fields that META elements at the beginning of a document stand for. */
export interface MetaFields {
  readonly fields: readonly (readonly [name: string, value: string])[]
  /** The beginning without the element that names a content type, which the translation makes wrong. */
  readonly rest: string
}

/**
 * Finds `<meta http-equiv=NAME content=VALUE>` in the beginning of a document. Fields of the content itself (Content-Type,
 * Content-Length ...) and values with control characters are left out.
 */
export function metaFieldsOf(head: string): MetaFields {
  const fields: (readonly [string, string])[] = []
  let rest = head
  for (const { 0: element, index } of head.matchAll(META)) {
    const name = /http-equiv[^A-Za-z]*([A-Za-z][A-Za-z0-9-]*)/i.exec(element)?.[1]
    if (name === undefined) continue
    if (/^content-type/i.test(name)) rest = head.slice(0, index) + head.slice(index + element.length)
    if (/^content-/i.test(name)) continue
    const value = /content\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*))/.exec(element)
    const text = value?.[1] ?? value?.[2] ?? value?.[3]
    if (text !== undefined && !CONTROL.test(text)) fields.push([name, text])
  }
  return { fields, rest }
}

const META = /<meta[^>]*http-equiv[^>]*>/gi
const CONTROL = /[\x00-\x1f\x7f]/
