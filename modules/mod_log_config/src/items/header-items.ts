import { HTTP_NOT_MODIFIED, type LogItem, type Request, type Transaction } from '@gatewright/api'
import { escapeLogItem } from '@gatewright/api/text'
import type { ItemDefinition } from '../compile-format.ts'
import { cookieValue } from '../cookie.ts'

/** Header fields, variables, notes, cookies and trailers: `%{}i %{}o %{}e %{}n %{}C %{}^ti %{}^to`. */
export const headerItems: readonly (readonly [string, ItemDefinition])[] = [
  ['i', { make: (name) => (request) => escaped(request.headersIn.get(name)), subject: 'final' }],
  ['o', { make: responseHeaderItem, subject: 'final' }],
  ['e', { make: (name) => (request) => escaped(request.env.get(name)), subject: 'final' }],
  ['n', { make: (name) => (request) => escaped(request.notes.get(name)), subject: 'final' }],
  ['C', { make: cookieItem, subject: 'final' }],
  ['^ti', { make: (name) => (_request, transaction) => escaped(transaction.requestTrailer(name)), subject: 'final' }],
  ['^to', { make: (name) => (_request, transaction) => escaped(transaction.responseTrailer(name)), subject: 'final' }],
]

/**
 * Content-Type without its parameters; Set-Cookie with all its values; the first value of any other field.
 */
function responseHeaderItem(name: string): LogItem {
  switch (name.toLowerCase()) {
    case 'content-type':
      return ({ contentType, status }) =>
        contentType === null || status === HTTP_NOT_MODIFIED ? null : escapeLogItem(withoutParameters(contentType))
    case 'set-cookie':
      return (request, transaction) => {
        const values = valuesOf(request, transaction, name)
        return values.length === 0 ? null : escapeLogItem(values.join(', '))
      }
    default:
      return (request, transaction) => escaped(valuesOf(request, transaction, name)[0])
  }
}

/** An internally redirected request sent no response, so the value comes from its own tables. */
function valuesOf(request: Request, transaction: Transaction, name: string): readonly string[] {
  if (request === transaction.final) return transaction.responseHeader(name)
  return [...request.errHeadersOut.getAll(name), ...request.headersOut.getAll(name)]
}

function withoutParameters(contentType: string): string {
  const end = contentType.indexOf(';')
  return end < 0 ? contentType : contentType.slice(0, end).trimEnd()
}

function cookieItem(name: string): LogItem {
  const wanted = name.toLowerCase()
  return (request) => {
    const cookies = request.headersIn.get('Cookie')
    return cookies === undefined ? null : escaped(cookieValue(cookies, wanted))
  }
}

function escaped(value: string | undefined): string | null {
  return value === undefined ? null : escapeLogItem(value)
}
