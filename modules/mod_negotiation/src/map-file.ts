import {
  HTTP_FORBIDDEN,
  HTTP_INTERNAL_SERVER_ERROR,
  HTTP_NOT_FOUND,
  inTurns,
  type MaybePromise,
  type Outcome,
  type Request,
  whenSettled,
} from '@gatewright/api'
import type { NegotiationContext } from './negotiation.ts'
import { parseTypeMap, type TypeMap } from './type-map.ts'
import type { Variant } from './variant.ts'

export const MAP_TYPE = 'application/x-type-map'

/**
 * A larger map is treated as one without variants, because its contents would be in memory during each
 * request.
 */
const LARGEST_MAP = 16 * 1024 * 1024

/** The variants of a map, or the outcome that ends the request. */
export type MapContent = { readonly variants: readonly Variant[] } | { readonly outcome: Outcome }

/**
 * Reads the type map to which a request or sub-request maps, and logs its errors.
 * @param named the file that messages about lines name: httpd names that of the main request
 */
export function readTypeMap(
  request: Request,
  context: NegotiationContext,
  named: string = request.filename,
): MaybePromise<MapContent> {
  // httpd opens a folder as a map and reads nothing from it.
  if (request.fileInfo?.kind === 'directory') return { variants: [] }
  let text: MaybePromise<string>
  try {
    text = context.fileText(request.filename, LARGEST_MAP)
  } catch (error) {
    return unreadable(request, error, context)
  }
  return text instanceof Promise
    ? text.then(
        (content) => parse(request, content, context, named),
        (error: unknown) => unreadable(request, error, context),
      )
    : parse(request, text, context, named)
}

function parse(request: Request, text: string, context: NegotiationContext, named: string): MaybePromise<MapContent> {
  const map = inTurns(request.work, parseTypeMap(text, request.filename, named))
  return whenSettled(map, (parsed) => contentOf(request, parsed, context))
}

function contentOf(request: Request, { variants, fault }: TypeMap, { log }: NegotiationContext): MapContent {
  if (fault !== null) log.write(request, 'error', fault.code, fault.text)
  return variants === null ? { outcome: HTTP_INTERNAL_SERVER_ERROR } : { variants }
}

function unreadable(request: Request, error: unknown, { log }: NegotiationContext): MapContent {
  if (!(error instanceof Error)) throw error
  if (error.name === 'FileTooLarge') {
    log.write(request, 'error', '', `type map file is larger than ${LARGEST_MAP} bytes and is ignored: ${request.filename}`)
    return { variants: [] }
  }
  log.write(request, 'error', 'AH00683', `cannot access type map file: ${request.filename}`, error)
  return { outcome: isMissing(error) ? HTTP_NOT_FOUND : HTTP_FORBIDDEN }
}

function isMissing(error: Error): boolean {
  const code = 'code' in error ? error.code : undefined
  return code === 'ENOENT' || code === 'ENOTDIR'
}
