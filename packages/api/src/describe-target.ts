import type { Request } from './request.ts'

/**
 * The target of a request in the form of httpd's "client denied by server configuration": its file, or `uri
 * /path` for a request without one.
 * @since 2.4.5
 */
export function describeTarget({ filename, uri }: Pick<Request, 'filename' | 'uri'>): string {
  return filename === '' ? `uri ${uri}` : filename
}
