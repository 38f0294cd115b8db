import type { Table } from '@gatewright/api'
import type { RequestRecord } from './request-record.ts'

/** Makes a request the one that its sub-request found: its file, configuration, type and fields. */
export function takeOver(request: RequestRecord, sub: RequestRecord): void {
  request.uri = sub.uri
  request.args = sub.args
  request.filename = sub.filename
  request.canonicalFilename = sub.canonicalFilename
  request.pathInfo = sub.pathInfo
  request.fileInfo = sub.fileInfo
  request.handler = sub.handler
  request.contentType = sub.contentType
  request.contentLanguages = sub.contentLanguages
  request.contentEncoding = sub.contentEncoding
  request.outputFilters = sub.outputFilters
  request.config = sub.config
  request.replacedBy = sub
  request.noCache &&= sub.noCache
  request.contextPrefix = sub.contextPrefix
  request.contextDocumentRoot = sub.contextDocumentRoot
  request.documentRoot = sub.documentRoot
  takeFields(request.headersOut, sub.headersOut)
  request.separateErrHeaders()
  takeFields(request.errHeadersOut, sub.errHeadersOut)
  for (const [name, value] of sub.env) request.env.set(name, value)
  for (const [name, value] of sub.notes) request.notes.set(name, value)
}

/**
 * Replaces fields of the same name, except Vary: the response still depends on what the request depended on
 * before.
 */
function takeFields(to: Table, from: Table): void {
  const before = from.has('Vary') ? to.getAll('Vary') : []
  for (const [name, value] of from) to.set(name, value)
  for (const value of before) to.add('Vary', value)
}
