import { parseXml, type XmlElement } from '@gatewright/dav'

/** What is compared of an answer: not the texts of pages, times, tags and tokens. */
export function describedAnswer(
  status: number,
  fields: Readonly<Record<string, string | string[] | undefined>>,
  body: string,
): string {
  const named = ['location', 'dav', 'allow'].map((name) => `${name}=${String(fields[name] ?? '')}`)
  const allow = named[2].split(',').sort().join(',')
  const content = String(fields['content-type'] ?? '').startsWith('text/xml') ? describedDocument(body) : ''
  return [String(status), named[0], named[1], status === 200 ? allow : '', content].join(' ')
}

function describedDocument(text: string): string {
  try {
    return describedElement(parseXml(text))
  } catch (error) {
    return `no document: ${String(error)}`
  }
}

/** Elements in order of their text, because servers list properties and locks in any order. */
function describedElement({ namespace, name, children }: XmlElement): string {
  const inside = children
    .map((child) => (typeof child === 'string' ? child.trim() : describedElement(child)))
    .filter((child) => child !== '')
    .sort()
    .join('')
  const known = MASKED.has(name)
    ? '*'
    : inside.replace(/opaquelocktoken:[0-9a-f-]+/g, 'TOKEN').replace(/^HTTP\/1\.1 (\d+).*$/, '$1')
  return `{${namespace}${name} ${known}}`
}

const MASKED: ReadonlySet<string> = new Set(['timeout', 'getetag', 'getlastmodified', 'creationdate', 'responsedescription'])
