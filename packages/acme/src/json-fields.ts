import { AcmeFailure } from './acme-failure.ts'

/** An object of JSON whose members nobody has checked yet. */
export type JsonObject = Readonly<Record<string, unknown>>

/** @throws AcmeFailure when the text is not a JSON object */
export function parseObject(text: string, from: string): JsonObject {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new AcmeFailure(`Unable to understand ACME server response from <${from}>. Wrong ACME protocol version or link?`)
  }
  if (isObject(value)) return value
  throw new AcmeFailure(`Unable to understand ACME server response from <${from}>. Wrong ACME protocol version or link?`)
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A member that is a text; '' otherwise. */
export function textOf(object: JsonObject, name: string): string {
  const value = object[name]
  return typeof value === 'string' ? value : ''
}

/** A member that is an object; an empty one otherwise. */
export function objectOf(object: JsonObject, name: string): JsonObject {
  const value = object[name]
  return isObject(value) ? value : {}
}

/** Members of a list that are objects; none when it is no list. */
export function objectsOf(object: JsonObject, name: string): readonly JsonObject[] {
  const value = object[name]
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** Members of a list that are texts; none when it is no list. */
export function textsOf(object: JsonObject, name: string): readonly string[] {
  const value = object[name]
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}
