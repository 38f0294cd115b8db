import type { HeaderFields } from '@gatewright/http'

/** Fields that describe the body of a request, which a sub-request does not have. */
const BODY_FIELDS: readonly string[] = [
  'Content-Encoding',
  'Content-Language',
  'Content-Length',
  'Content-Location',
  'Content-MD5',
  'Content-Range',
  'Content-Type',
  'Expires',
  'Last-Modified',
  'Transfer-Encoding',
]

/**
 * The fields of a sub-request. They are a copy: what is set for it, such as the credentials of AuthBasicFake, must
 * not authenticate the request of the client. If that has a body, the copy lacks the fields that describe it.
 */
export function fieldsForSubrequest(fields: HeaderFields): HeaderFields {
  const copy = fields.copy()
  if (fields.has('Content-Length') || fields.has('Transfer-Encoding')) for (const name of BODY_FIELDS) copy.delete(name)
  return copy
}
