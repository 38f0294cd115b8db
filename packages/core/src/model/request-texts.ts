import { Table } from '@gatewright/api'
import { isByteText, requireByteText } from '@gatewright/api/text'
import { addFields } from '../base/add-fields.ts'

const NO_LANGUAGES: readonly string[] = []

/**
 * The texts and tables that modules set in a request. Tables that few requests need are created on first use.
 *
 * Header fields, logs and decisions hold one byte per character. Other text is rejected when it is set, so that
 * the stack names the caller at fault.
 */
export abstract class RequestTexts {
  #typeText: string | null = null
  #languageTexts: readonly string[] = NO_LANGUAGES
  #encodingText: string | null = null
  #userText: string | null = null
  #authTypeText: string | null = null
  #headersOutTable: Table | null = null
  #errHeadersOutTable: Table | null = null
  #notesTable: Table | null = null
  #envTable: Table | null = null

  get contentType(): string | null {
    return this.#typeText
  }

  set contentType(type: string | null) {
    if (type !== null && !isByteText(type)) requireByteText('the content type', type)
    this.#typeText = type
  }

  get contentEncoding(): string | null {
    return this.#encodingText
  }

  set contentEncoding(encoding: string | null) {
    if (encoding !== null && !isByteText(encoding)) requireByteText('the content encoding', encoding)
    this.#encodingText = encoding
  }

  get contentLanguages(): readonly string[] {
    return this.#languageTexts
  }

  set contentLanguages(languages: readonly string[]) {
    for (let index = 0; index < languages.length; index++) requireByteText('a content language', languages[index])
    this.#languageTexts = languages
  }

  get user(): string | null {
    return this.#userText
  }

  set user(user: string | null) {
    if (user !== null && !isByteText(user)) requireByteText('the name of the user', user)
    this.#userText = user
  }

  get authType(): string | null {
    return this.#authTypeText
  }

  set authType(type: string | null) {
    if (type !== null && !isByteText(type)) requireByteText('the authentication type', type)
    this.#authTypeText = type
  }

  get headersOut(): Table {
    return (this.#headersOutTable ??= new Table())
  }

  get errHeadersOut(): Table {
    return (this.#errHeadersOutTable ??= new Table())
  }

  get notes(): Table {
    return (this.#notesTable ??= new Table())
  }

  get env(): Table {
    return (this.#envTable ??= new Table())
  }

  /** The tables if they exist, so that reading does not create them. */
  get existingHeadersOut(): Table | null {
    return this.#headersOutTable
  }

  get existingErrHeadersOut(): Table | null {
    return this.#errHeadersOutTable
  }

  get existingEnv(): Table | null {
    return this.#envTable
  }

  get existingNotes(): Table | null {
    return this.#notesTable
  }

  /**
   * Removes the headers of a successful response, as an error page does: those that survive errors become its
   * normal ones.
   */
  clearHeadersOut(): void {
    this.#headersOutTable = this.#errHeadersOutTable
    this.#errHeadersOutTable = null
  }

  /** Shares the fields of another request that survive errors: what either adds is sent with both. */
  adoptErrHeaders(other: RequestTexts): void {
    this.#errHeadersOutTable = other.errHeadersOut
  }

  /** Ends the sharing of `adoptErrHeaders`: the fields so far are copied. */
  separateErrHeaders(): void {
    const before = this.#errHeadersOutTable
    if (before === null) return
    this.#errHeadersOutTable = new Table()
    addFields(this.#errHeadersOutTable, before)
  }
}
