import type { Request } from '@gatewright/api'
import { decodePercent } from '@gatewright/api/text'

/** A URL, or the start of one, of CacheEnable or CacheDisable. */
export interface CacheUrl {
  /** In lower case; null for a path of this server. */
  readonly scheme: string | null
  /** In lower case; '' for any. It begins with `.` or `*` if it is the end of names. */
  readonly host: string
  /** 0 for that of the scheme. */
  readonly port: number
  readonly path: string
}

const STANDARD_PORTS: Readonly<Record<string, number>> = { http: 80, https: 443, ftp: 21 }

/** The standard port of a scheme; 0 for one without. */
export function portOfScheme(scheme: string): number {
  return STANDARD_PORTS[scheme] ?? 0
}

/** Reads a path or URL; undefined if it is neither. */
export function parseCacheUrl(text: string): CacheUrl | undefined {
  if (text.startsWith('/')) return { scheme: null, host: '', port: 0, path: text }
  const parts = /^([a-z][a-z0-9+.-]*):(?:\/\/(?:\[([^\]]*)\]|([^:/]*))?(?::(\d{0,5}))?)?(\/.*)?$/i.exec(text)
  if (parts === null) return undefined
  const [, scheme, address, name, port, path] = parts
  return {
    scheme: scheme.toLowerCase(),
    host: (address ?? name ?? '').toLowerCase(),
    port: Number(port ?? 0),
    path: path ?? '/',
  }
}

/** The path of a request for a comparison with the URLs of lines, where slashes at its start count once. */
export function pathOf({ uri }: Request): string {
  return uri.startsWith('//') ? `/${uri.replace(/^\/+/, '')}` : uri
}

/** Whether a request is for a URL that begins with this one. */
export function coversRequest(url: CacheUrl, request: Request): boolean {
  return coversTarget(url, request) && pathOf(request).startsWith(url.path)
}

/** The same, where an escaped path counts as the path that it stands for. */
export function coversDecoded(url: CacheUrl, request: Request): boolean {
  if (!coversTarget(url, request)) return false
  const path = pathOf(request)
  return path.startsWith(url.path) || (path.includes('%') && decodePercent(path).startsWith(url.path))
}

/** A path covers only requests whose target is a path. */
function coversTarget({ scheme, host, port }: CacheUrl, { target }: Request): boolean {
  const isUrl = target !== null && (target.form === 'absolute' || target.form === 'authority')
  if (scheme === null) return !isUrl
  if (!isUrl || target.scheme !== scheme) return false
  const name = (target.host ?? '').toLowerCase()
  if (
    host.startsWith('.')
      ? !name.endsWith(host)
      : host.startsWith('*')
        ? !name.endsWith(host.slice(1))
        : host !== '' && host !== name
  ) {
    return false
  }
  const wanted = port === 0 ? portOfScheme(scheme) : port
  return wanted === (target.port === 0 ? portOfScheme(scheme) : target.port)
}
