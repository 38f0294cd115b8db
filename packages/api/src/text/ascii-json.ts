/**
 * A JSON text in which all characters beyond ASCII are escapes, so that it can be sent and written as bytes.
 * @since 2.4.6
 */
export function asciiJson(value: object): string {
  return JSON.stringify(value).replace(/[\x7f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
