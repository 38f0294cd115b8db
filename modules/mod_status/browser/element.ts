const SVG = 'http://www.w3.org/2000/svg'

type Attributes = Readonly<Record<string, string>>

/** An element with attributes and children: elements, or texts, which are never parsed as markup. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  return filled(document.createElement(name), attributes, children)
}

export function svgElement<K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): SVGElementTagNameMap[K] {
  return filled(document.createElementNS(SVG, name), attributes, children)
}

function filled<E extends Element>(node: E, attributes: Attributes, children: readonly (Node | string)[]): E {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value)
  node.append(...children)
  return node
}
