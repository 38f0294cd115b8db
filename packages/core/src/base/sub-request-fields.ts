import { HeaderFields } from '@gatewright/http'

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

const BODY_NAMES: ReadonlySet<string> = new Set(BODY_FIELDS.map((name) => name.toLowerCase()))
/** What a list of names leaves out, in lower case. The lists are parts of configurations, of which there are few. */
const LEFT_OUT = new WeakMap<readonly string[], ReadonlySet<string>>()

/**
 * The fields of a request that another server received, out of those of its question.
 * @param without names of those that only the question has
 * @param host the value of Host, which has the place of the question's
 */
export function fieldsOfForeign(fields: HeaderFields, without: readonly string[], host: string): HeaderFields {
  const leftOut = leftOutBy(without)
  const hasBody = fields.has('Content-Length') || fields.has('Transfer-Encoding')
  const list: string[] = []
  let named = false
  for (let index = 0; index < fields.length; index++) {
    const name = fields.name(index)
    const key = name.toLowerCase()
    if (key === 'host') {
      list.push(name, host)
      named = true
    } else if (!leftOut.has(key) && !(hasBody && BODY_NAMES.has(key))) list.push(name, fields.value(index))
  }
  if (!named) list.push('Host', host)
  return HeaderFields.apart(list)
}

function leftOutBy(names: readonly string[]): ReadonlySet<string> {
  let leftOut = LEFT_OUT.get(names)
  if (leftOut === undefined) {
    leftOut = new Set(names.map((name) => name.toLowerCase()))
    LEFT_OUT.set(names, leftOut)
  }
  return leftOut
}
