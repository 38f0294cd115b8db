import type { Request } from '@gatewright/api'
import type { ExtensionInfo, MultiviewsChoice } from './config.ts'

/** The note for mod_negotiation. Its parts are separated by `/`, which cannot occur in a name. */
const NOTE = 'ap-mime-exceptions-list'

/**
 * Collects the parts of a candidate's name without a meaning: the base name, and extensions that
 * MultiviewsMatch does not count.
 */
export class UnknownParts {
  readonly #parts: string[]
  readonly #choice: MultiviewsChoice
  #someKnown = false

  /** @param firstExtension index in `path` after the dot that ends the base name, or past the end */
  constructor(path: string, firstExtension: number, choice: MultiviewsChoice) {
    this.#parts = [path.slice(path.lastIndexOf('/') + 1, firstExtension - 1)]
    this.#choice = choice
  }

  /** @param part as written */
  judge(part: string, info: ExtensionInfo | undefined, isType: boolean): void {
    const known = (isType && info?.type !== null) || (info !== undefined && this.#counts(info))
    if (known || this.#choice === 'any') this.#someKnown = true
    else this.#parts.push(part)
  }

  /** Sets the note, unless nothing in the name is known: such a file is not a candidate. */
  setNote(request: Request): void {
    if (this.#someKnown) request.notes.set(NOTE, this.#parts.join('/'))
  }

  #counts(info: ExtensionInfo): boolean {
    if (info.type || info.charset || info.language || info.encoding) return true
    const choice = this.#choice
    if (info.handler && (choice === 'handlers' || choice === 'filters-and-handlers')) return true
    return Boolean(info.inputFilters || info.outputFilters) && (choice === 'filters' || choice === 'filters-and-handlers')
  }
}
