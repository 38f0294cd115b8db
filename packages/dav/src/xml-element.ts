/** An element of a parsed document. Names and texts have one character per byte of UTF-8. */
export interface XmlElement {
  /** The namespace; '' for none. */
  readonly namespace: string
  readonly name: string
  readonly attributes: readonly XmlAttribute[]
  readonly children: readonly (XmlElement | string)[]
}

export interface XmlAttribute {
  readonly namespace: string
  /** The prefix that the document uses; '' for none. */
  readonly prefix: string
  readonly name: string
  readonly value: string
}

/** The namespace of WebDAV. */
export const DAV_NAMESPACE = 'DAV:'

/** The child elements of a name in the namespace of WebDAV. */
export function davChildren(element: XmlElement, name: string): XmlElement[] {
  return elementsOf(element).filter((child) => isDav(child, name))
}

/** The child elements. */
export function elementsOf({ children }: XmlElement): XmlElement[] {
  return children.filter((child) => typeof child !== 'string')
}

export function isDav(element: XmlElement, name: string): boolean {
  return element.namespace === DAV_NAMESPACE && element.name === name
}

/** The text in an element, without that of its child elements. */
export function textOf({ children }: XmlElement): string {
  return children.filter((child) => typeof child === 'string').join('')
}
