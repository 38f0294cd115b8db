import type { Request } from '@gatewright/api'
import { escapeUriPath } from '@gatewright/api/text'
import { type DavEntry, DavError, type DavRepository } from '@gatewright/dav'

/** What a request or a Destination names. */
export interface Resource {
  /** Its path in the repository, without a slash at the end. */
  readonly path: string
  /** The decoded path of its URL; that of a folder ends with a slash. */
  readonly uri: string
  /** Null if nothing is there. */
  readonly entry: DavEntry | null
}

/**
 * The resource of a request that has been mapped to a file.
 * @throws DavError for a path below a file
 */
export function resourceOf({ filename, pathInfo, uri }: Request, repository: DavRepository): Resource {
  const there = repository.entry(withoutSlash(filename))
  if (there?.kind === 'file' && pathInfo !== '') {
    const text = 'The URL contains extraneous path components. The resource could not be identified.'
    throw new DavError(400, 'Could not fetch resource information.', { before: new DavError(400, text) })
  }
  const path = withoutSlash(`${filename}${pathInfo}`)
  const entry = pathInfo === '' || pathInfo === '/' ? there : repository.entry(path)
  return { path, uri: entry?.kind === 'folder' ? `${withoutSlash(uri)}/`.replace(/^\/\/$/, '/') : uri, entry }
}

export function withoutSlash(path: string): string {
  let end = path.length
  while (end > 1 && path[end - 1] === '/') end--
  return path.slice(0, end)
}

/** The URL path of a resource in an answer. */
export function hrefOf(uri: string): string {
  return escapeUriPath(uri)
}

/** The folder that a resource is in. */
export function parentOf({ path, uri }: Pick<Resource, 'path' | 'uri'>): { readonly path: string; readonly uri: string } {
  const below = withoutSlash(uri)
  return { path: path.slice(0, path.lastIndexOf('/')) || '/', uri: below.slice(0, below.lastIndexOf('/')) || '/' }
}

/** The entity tag, in httpd's form; weak while the file is younger than a second. */
export function etagOf({ size, mtimeMs }: DavEntry): string {
  const tag = `"${size.toString(16)}-${Math.floor(mtimeMs * 1000).toString(16)}"`
  return Date.now() - mtimeMs < 1000 ? `W/${tag}` : tag
}
