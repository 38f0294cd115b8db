import { DAV_NAMESPACE, type XmlElement } from './xml-element.ts'

/** A text in a document. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (char) => ESCAPES[char])
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** An element as a text that needs no declaration from around it, except that of the prefix `D`. */
export function writeElement(element: XmlElement): string {
  const { namespace, name, attributes, children } = element
  let prefix = ''
  let declared = ''
  if (namespace === DAV_NAMESPACE) prefix = 'D:'
  else if (namespace !== '') {
    prefix = 'n:'
    declared = ` xmlns:n="${escapeXml(namespace)}"`
  }
  attributes.forEach((attribute, index) => {
    const own = attribute.namespace === '' ? '' : attribute.prefix === 'xml' ? 'xml:' : `a${index}:`
    if (own.startsWith('a')) declared += ` xmlns:a${index}="${escapeXml(attribute.namespace)}"`
    declared += ` ${own}${attribute.name}="${escapeXml(attribute.value)}"`
  })
  const start = `<${prefix}${name}${declared}`
  return children.length === 0 ? `${start}/>` : `${start}>${writeContent(element)}</${prefix}${name}>`
}

/** What is in an element. */
export function writeContent({ children }: XmlElement): string {
  return children.map((child) => (typeof child === 'string' ? escapeXml(child) : writeElement(child))).join('')
}
