import { httpDate } from '@gatewright/api/text'
import { DAV_NAMESPACE, type DavLock, escapeXml, propertyKey } from '@gatewright/dav'
import type { DavContext } from './context.ts'
import { activeLocks, SUPPORTED_LOCKS } from './lock-document.ts'
import { etagOf, type Resource } from './resource.ts'
import { locksOf } from './validate.ts'

/** The namespace of properties of httpd's own. */
export const APACHE_NAMESPACE = 'http://apache.org/dav/props/'

/** A property that the server computes. */
interface LiveProperty {
  readonly namespace: string
  readonly name: string
  /** Its value as XML; null if the resource does not have it. */
  value(about: About): string | null
}

/** What properties are computed from. */
export interface About {
  readonly context: DavContext
  readonly resource: Resource
  /** The media type; null if it is unknown. */
  readonly contentType: string | null
  /** All locks. */
  readonly locks: readonly DavLock[]
}

const dav = (name: string, value: LiveProperty['value']): LiveProperty => ({ namespace: DAV_NAMESPACE, name, value })

/** The properties that the server computes, in the order of their names. */
export const LIVE_PROPERTIES: readonly LiveProperty[] = [
  dav('creationdate', ({ resource: { entry } }) =>
    entry === null ? null : `${new Date(Math.min(entry.ctimeMs, entry.mtimeMs)).toISOString().slice(0, 19)}Z`,
  ),
  dav('getcontentlength', ({ resource: { entry } }) => (entry?.kind === 'file' ? String(entry.size) : null)),
  dav('getcontenttype', ({ resource: { entry }, contentType }) => {
    if (entry?.kind === 'folder') return 'httpd/unix-directory'
    return contentType === null ? null : escapeXml(contentType)
  }),
  dav('getetag', ({ resource: { entry } }) => (entry === null ? null : escapeXml(etagOf(entry)))),
  dav('getlastmodified', ({ resource: { entry } }) => (entry === null ? null : httpDate(entry.mtimeMs))),
  dav('lockdiscovery', ({ context, resource, locks }) => {
    if (context.locks === null) return null
    return context.config.lockDiscovery === false ? '' : activeLocks(locksOf(locks, resource.path))
  }),
  dav('resourcetype', ({ resource: { entry } }) => (entry?.kind === 'folder' ? '<D:collection/>' : '')),
  dav('supportedlock', ({ context }) => (context.locks === null ? null : SUPPORTED_LOCKS)),
  {
    namespace: APACHE_NAMESPACE,
    name: 'executable',
    value: ({ resource: { entry } }) => (entry?.kind === 'file' ? (entry.executable ? 'T' : 'F') : null),
  },
]

const BY_KEY = new Map(LIVE_PROPERTIES.map((property) => [propertyKey(property), property]))

/** The computed property of a name; undefined for a name that clients may define. */
export function liveProperty(name: { readonly namespace: string; readonly name: string }): LiveProperty | undefined {
  return BY_KEY.get(propertyKey(name))
}

/** An element of a name, with XML in it. */
export function propertyElement(
  { namespace, name }: { readonly namespace: string; readonly name: string },
  value: string,
): string {
  const tag = namespace === DAV_NAMESPACE ? `D:${name}` : namespace === '' ? name : `n:${name}`
  const declared = namespace === DAV_NAMESPACE || namespace === '' ? '' : ` xmlns:n="${escapeXml(namespace)}"`
  return value === '' ? `<${tag}${declared}/>` : `<${tag}${declared}>${value}</${tag}>`
}
