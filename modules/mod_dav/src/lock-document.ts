import { type DavLock, escapeXml } from '@gatewright/dav'

/** `activelock` elements of a resource. */
export function activeLocks(locks: readonly DavLock[]): string {
  return locks
    .map(
      ({ exclusive, deep, owner, expires, token }) =>
        '<D:activelock>' +
        '<D:locktype><D:write/></D:locktype>' +
        `<D:lockscope><D:${exclusive ? 'exclusive' : 'shared'}/></D:lockscope>` +
        `<D:depth>${deep ? 'infinity' : '0'}</D:depth>` +
        owner +
        `<D:timeout>${timeoutText(expires)}</D:timeout>` +
        `<D:locktoken><D:href>${escapeXml(token)}</D:href></D:locktoken>` +
        '</D:activelock>',
    )
    .join('')
}

function timeoutText(expires: number): string {
  if (expires === 0) return 'Infinite'
  return `Second-${Math.max(0, Math.ceil((expires - Date.now()) / 1000))}`
}

/** The value of `supportedlock`. */
export const SUPPORTED_LOCKS: string = ['exclusive', 'shared']
  .map((scope) => `<D:lockentry><D:lockscope><D:${scope}/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockentry>`)
  .join('')
