/** An element as written, with what is wrong with its form. */
export interface ElementText {
  /** In lower case. */
  readonly name: string
  /** Names in lower case, and values without their quotes; null for a name without `=`. */
  readonly attributes: readonly (readonly [name: string, value: string | null])[]
  readonly fault: ElementFault | null
}

/** `no-name`: nothing stands after the start tag; the others: a value, or `=`, without a name before it. */
export type ElementFault = 'no-name' | 'bare-value' | 'bare-equals' | 'too-long'

type State =
  | 'name'
  | 'before-attribute'
  | 'attribute'
  | 'before-equals'
  | 'before-value'
  | 'unquoted'
  | 'quoted'
  | 'escape'
  | 'done'

/** An element has at most this many bytes. */
const LONGEST = 1024 * 1024

/**
 * Reads one element, from after its start tag to its end tag, from pieces of any size. The rules are httpd's: the end tag
 * may follow the name of the element, a quote or a blank, and nothing else; blanks may surround `=`; quotes are `"`, `'`
 * and `` ` ``.
 */
export class ElementReader {
  readonly #endTag: string
  #state: State = 'name'
  /** The characters of the end tag read so far, if this may be one. */
  #matched = 0
  #token = ''
  #quote = ''
  #name = ''
  #attribute = ''
  #length = 0
  #fault: ElementFault | null = null
  readonly #attributes: [string, string | null][] = []

  constructor(endTag: string) {
    this.#endTag = endTag
  }

  get isDone(): boolean {
    return this.#state === 'done'
  }

  /** The element, when it is done. */
  get element(): ElementText {
    return { name: this.#name, attributes: this.#attributes, fault: this.#fault }
  }

  /** Reads on. @returns how many characters belong to the element: all, if it has not ended */
  push(text: string): number {
    let at = 0
    while (at < text.length && this.#state !== 'done') if (this.#take(text[at])) at++
    this.#length += at
    if (this.#length > LONGEST && this.#state !== 'done') {
      this.#fault = 'too-long'
      this.#attributes.length = 0
      this.#token = ''
    }
    return at
  }

  /** @returns false if the character has to be looked at again, in another state */
  #take(character: string): boolean {
    if (this.#matched > 0) return this.#matchEnd(character)
    switch (this.#state) {
      case 'name':
        if (isBlank(character)) this.#endName()
        else if (!this.#startsEnd(character)) this.#add(character)
        return true
      case 'before-attribute':
        if (isBlank(character) || this.#startsEnd(character)) return true
        return this.#beginAttribute(character)
      case 'attribute':
        if (character === '=' || isBlank(character)) this.#endAttributeName(character)
        else this.#add(character)
        return true
      case 'before-equals':
        return this.#beforeEquals(character)
      case 'before-value':
        return this.#beforeValue(character)
      case 'unquoted':
        if (isBlank(character)) this.#endValue()
        else this.#add(character)
        return true
      case 'quoted':
        if (character === '\\') this.#state = 'escape'
        else if (character === this.#quote) this.#endValue()
        else this.#add(character)
        return true
      case 'escape':
        this.#state = 'quoted'
        if (character === this.#quote) {
          this.#add(character)
          return true
        }
        this.#add('\\')
        return false
      default:
        return false
    }
  }

  #add(character: string): void {
    if (this.#fault !== 'too-long') this.#token += character
  }

  #startsEnd(character: string): boolean {
    if (character !== this.#endTag[0]) return false
    this.#matched = 1
    if (this.#endTag.length === 1) this.#finish()
    return true
  }

  #matchEnd(character: string): boolean {
    if (character !== this.#endTag[this.#matched]) {
      // It was none: its first character belongs to a name, and the next one may begin another.
      const again = this.#endTag.slice(1, this.#matched)
      this.#matched = 0
      if (this.#state === 'before-attribute') this.#state = 'attribute'
      this.#add(this.#endTag[0])
      for (const each of again) while (!this.#take(each));
      return false
    }
    this.#matched++
    if (this.#matched === this.#endTag.length) this.#finish()
    return true
  }

  #finish(): void {
    if (this.#state === 'name') this.#endName()
    this.#matched = 0
    this.#state = 'done'
  }

  #endName(): void {
    this.#name = this.#token.toLowerCase()
    this.#token = ''
    if (this.#name === '') this.#fail('no-name')
    this.#state = 'before-attribute'
  }

  #beginAttribute(character: string): boolean {
    if (!isQuote(character)) {
      this.#state = 'attribute'
      return false
    }
    this.#fail('bare-value')
    this.#attribute = ''
    this.#quote = character
    this.#state = 'quoted'
    return true
  }

  #endAttributeName(character: string): void {
    this.#attribute = this.#token.toLowerCase()
    this.#token = ''
    if (this.#attribute === '') this.#fail('bare-equals')
    if (this.#fault !== 'too-long') this.#attributes.push([this.#attribute, null])
    this.#state = character === '=' ? 'before-value' : 'before-equals'
  }

  #beforeEquals(character: string): boolean {
    if (isBlank(character)) return true
    this.#state = character === '=' ? 'before-value' : 'before-attribute'
    return character === '='
  }

  #beforeValue(character: string): boolean {
    if (isBlank(character)) return true
    if (!isQuote(character)) {
      this.#state = 'unquoted'
      return false
    }
    this.#quote = character
    this.#state = 'quoted'
    return true
  }

  #endValue(): void {
    const last = this.#attributes.at(-1)
    if (last !== undefined && this.#fault === null) last[1] = this.#token
    this.#token = ''
    this.#state = 'before-attribute'
  }

  #fail(fault: ElementFault): void {
    this.#fault ??= fault
  }
}

function isBlank(character: string): boolean {
  return /[\t-\r ]/.test(character)
}

function isQuote(character: string): boolean {
  return character === '"' || character === "'" || character === '`'
}
