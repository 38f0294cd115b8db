import { DavError } from '@gatewright/dav'
import type { DavContext } from './context.ts'

/** The field Depth; `fallback` if it is missing. @throws DavError */
export function depthOf({ request }: DavContext, fallback: '0' | '1' | 'infinity'): '0' | '1' | 'infinity' {
  const depth = request.headersIn.get('Depth') ?? fallback
  if (depth.toLowerCase() === 'infinity') return 'infinity'
  if (depth === '0' || depth === '1') return depth
  throw new DavError(400, 'An invalid Depth header was specified.', { code: 'AH00580' })
}

/** The field Overwrite. @throws DavError */
export function overwriteOf({ request }: DavContext): boolean {
  const word = request.headersIn.get('Overwrite')
  if (word === undefined || word.toLowerCase() === 't') return true
  if (word.toLowerCase() === 'f') return false
  throw new DavError(400, 'An invalid Overwrite header was specified.', { code: 'AH00581' })
}
