import { readFileSync } from 'node:fs'
import {
  HTTP_FORBIDDEN,
  HTTP_INTERNAL_SERVER_ERROR,
  HTTP_NOT_FOUND,
  type ModuleLog,
  type Outcome,
  type Request,
} from '@gatewright/api'
import { parseTypeMap } from './type-map.ts'
import type { Variant } from './variant.ts'

export const MAP_TYPE = 'application/x-type-map'

/** Reads the type map that a request or sub-request maps to; what is wrong with it is logged. */
export function readTypeMap(
  request: Request,
  log: ModuleLog,
): { readonly variants: readonly Variant[] } | { readonly outcome: Outcome } {
  let text: string
  try {
    // httpd opens a folder, and finds nothing to read in it.
    text = request.fileInfo?.kind === 'directory' ? '' : readFileSync(Buffer.from(request.filename, 'latin1'), 'latin1')
  } catch (error) {
    log.write(
      request,
      'error',
      'AH00683',
      `cannot access type map file: ${request.filename}`,
      error instanceof Error ? error : undefined,
    )
    return { outcome: isMissing(error) ? HTTP_NOT_FOUND : HTTP_FORBIDDEN }
  }
  const { variants, fault } = parseTypeMap(text, request.filename)
  if (fault !== null) log.write(request, 'error', fault.code, fault.text)
  return variants === null ? { outcome: HTTP_INTERNAL_SERVER_ERROR } : { variants }
}

function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ENOENT' || code === 'ENOTDIR'
}
