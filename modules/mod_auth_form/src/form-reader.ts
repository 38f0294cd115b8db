import { HTTP_REQUEST_ENTITY_TOO_LARGE, type MaybePromise, type Outcome, type Request } from '@gatewright/api'

const FORM_TYPE = 'application/x-www-form-urlencoded'

const PERCENT = 0x25
const AMPERSAND = 0x26
const PLUS = 0x2b
const EQUALS = 0x3d
const SPACE = 0x20

/** What a form has; the first field of a name counts. Bytes, one per character. */
export type FormFields = ReadonlyMap<string, string>

/**
 * Reads the body of a request as a form. Another body is read and discarded.
 * @param limit of all names and values together, decoded, in bytes
 * @returns the fields that have one of the names; the status that refuses the body
 */
export function readForm(request: Request, names: readonly string[], limit: number): MaybePromise<FormFields | Outcome> {
  const type = request.headersIn.get('Content-Type')
  if (type === undefined || type.slice(0, FORM_TYPE.length).toLowerCase() !== FORM_TYPE) {
    const discarded = request.discardBody()
    return discarded instanceof Promise ? discarded.then(statusOrNothing) : statusOrNothing(discarded)
  }
  return parse(request, names, limit)
}

function statusOrNothing(outcome: Outcome): FormFields | Outcome {
  return outcome === 0 ? new Map() : outcome
}

async function parse(request: Request, names: readonly string[], limit: number): Promise<FormFields | Outcome> {
  const parser = new FormParser(names, limit)
  for await (const chunk of request.readBody()) {
    if (!parser.add(chunk)) return HTTP_REQUEST_ENTITY_TOO_LARGE
  }
  return parser.finish()
}

/**
 * httpd's reading of forms, to the byte: an escape is two characters of any kind, of which the digits' values are computed
 * without a check, except that a percent sign begins another escape, and an ampersand in place of the second ends the pair.
 */
class FormParser {
  readonly #names: ReadonlySet<string>
  readonly #limit: number
  readonly #fields = new Map<string, string>()
  #size = 0
  #inValue = false
  #name = ''
  #value = ''
  /** The characters of an escape that have been read: 0 for none, 1 for the percent sign. */
  #escape = 0
  #high = 0

  constructor(names: readonly string[], limit: number) {
    this.#names = new Set(names)
    this.#limit = limit
  }

  /** Returns false when the form is too long. */
  add(chunk: Uint8Array): boolean {
    for (const byte of chunk) {
      if (!this.#take(byte === PLUS ? SPACE : byte)) return false
    }
    return true
  }

  finish(): FormFields {
    this.#endPair()
    return this.#fields
  }

  #take(byte: number): boolean {
    if (byte === PERCENT) {
      this.#escape = 1
    } else if (this.#escape === 1) {
      this.#high = digitOf(byte) << 4
      this.#escape = 2
    } else if (byte === AMPERSAND) {
      this.#endPair()
    } else if (this.#escape === 2) {
      this.#escape = 0
      return this.#append((this.#high + digitOf(byte)) & 0xff)
    } else if (byte === EQUALS && !this.#inValue) {
      this.#inValue = true
    } else {
      return this.#append(byte)
    }
    return true
  }

  #append(byte: number): boolean {
    if (++this.#size > this.#limit) return false
    if (this.#inValue) this.#value += String.fromCharCode(byte)
    else this.#name += String.fromCharCode(byte)
    return true
  }

  #endPair(): void {
    const name = untilNul(this.#name)
    if (this.#inValue && this.#names.has(name) && !this.#fields.has(name)) this.#fields.set(name, untilNul(this.#value))
    this.#name = ''
    this.#value = ''
    this.#inValue = false
    this.#escape = 0
  }
}

function digitOf(byte: number): number {
  return byte >= 0x41 ? (byte & 0xdf) - 0x41 + 10 : byte - 0x30
}

/** Names and values are C strings. */
function untilNul(text: string): string {
  const nul = text.indexOf('\0')
  return nul < 0 ? text : text.slice(0, nul)
}

/** Whether the result of reading a form is the status that refuses it. */
export function isRefusal(form: FormFields | Outcome): form is Outcome {
  return typeof form === 'number'
}
