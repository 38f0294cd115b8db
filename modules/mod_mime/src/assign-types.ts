import { DECLINED, type ModuleLog, OK, type Outcome, type Request } from '@gatewright/api'
import type { MimeConfig } from './config.ts'
import { type MediaType, withCharset } from './media-type.ts'
import { UnknownParts } from './unknown-parts.ts'

/** httpd's content type of folders. */
const DIRECTORY_TYPE = 'httpd/unix-directory'

const DOT = 0x2e

/**
 * The type checker: each extension of the file name may contribute to the properties of the file, in any
 * order. The last type, character set and handler count; languages and codings are combined.
 */
export function assignTypes(
  request: Request,
  config: Readonly<MimeConfig>,
  types: ReadonlyMap<string, MediaType>,
  log: ModuleLog,
): Outcome {
  if (request.fileInfo !== null && request.fileInfo.kind === 'directory') {
    request.contentType = DIRECTORY_TYPE
    return OK
  }
  if (request.filename === '') return DECLINED
  const path = config.usePathInfo === true ? request.filename + request.pathInfo : request.filename
  let type: MediaType | null = null
  let charset: string | null = null
  let start = firstExtension(path)
  const unknown = request.main === null ? null : new UnknownParts(path, start, config.multiviewsMatch ?? 'negotiated-only')
  while (start <= path.length) {
    let end = path.indexOf('.', start)
    if (end < 0) end = path.length
    if (end > start) {
      const extension = path.slice(start, end).toLowerCase()
      const info = config.extensions.get(extension)
      // RemoveType also hides the type from the types file.
      type = (info === undefined || info.type === undefined ? types.get(extension) : info.type) ?? type
      if (info !== undefined) {
        charset = info.charset ?? charset
        if (info.language) request.contentLanguages = [...request.contentLanguages, info.language]
        if (info.encoding) request.contentEncoding = appendCoding(request.contentEncoding, info.encoding)
        if (info.handler) request.handler = info.handler
        if (info.outputFilters) for (const name of info.outputFilters.split(';')) request.addOutputFilter(name)
        if (info.inputFilters) for (const name of info.inputFilters.split(';')) request.addInputFilter(name)
      }
      unknown?.judge(path.slice(start, end), info, types.has(extension))
    }
    start = end + 1
  }
  unknown?.setNote(request)
  if (type !== null) setType(request, type, charset, log)
  if (request.contentLanguages.length === 0 && config.defaultLanguage !== undefined) {
    request.contentLanguages = [config.defaultLanguage]
  }
  return request.contentType === null ? DECLINED : OK
}

/**
 * Index after the dot that ends the base name, or past the end if there is no extension. Leading dots belong
 * to the base name, which is never an extension.
 */
function firstExtension(path: string): number {
  let at = path.lastIndexOf('/') + 1
  while (path.charCodeAt(at) === DOT) at++
  const dot = path.indexOf('.', at)
  return dot < 0 ? path.length + 1 : dot + 1
}

function appendCoding(before: string | null, coding: string): string {
  return before === null ? coding : `${before}, ${coding}`
}

function setType(request: Request, type: MediaType, charset: string | null, log: ModuleLog): void {
  if (type.warning !== null) log.write(null, 'warn', type.warning.code, type.warning.text)
  request.contentType = charset === null ? type.text : withCharset(type, charset)
}
