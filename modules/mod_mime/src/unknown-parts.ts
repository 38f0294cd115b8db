import type { Request } from '@gatewright/api'
import type { ExtensionInfo, MultiviewsChoice } from './config.ts'

/** The note that mod_negotiation reads: its parts have `/` between them, which no part of a name can hold. */
const NOTE = 'ap-mime-exceptions-list'

/** Which parts of a candidate's name say nothing about it: the base name, and extensions that MultiviewsMatch does not count. */
export class UnknownParts {
  readonly #parts: string[]
  readonly #choice: MultiviewsChoice
  #someKnown = false

  /** @param firstExtension index behind the dot that ends the base name, as in `path`, or past the end */
  constructor(path: string, firstExtension: number, choice: MultiviewsChoice) {
    this.#parts = [path.slice(path.lastIndexOf('/') + 1, firstExtension - 1)]
    this.#choice = choice
  }

  /** @param part as it is written */
  judge(part: string, info: ExtensionInfo | undefined, isType: boolean): void {
    const known = (isType && info?.type !== null) || (info !== undefined && this.#counts(info))
    if (known || this.#choice === 'any') this.#someKnown = true
    else this.#parts.push(part)
  }

  /** A name of which nothing is known is no candidate: it gets no note. */
  tell(request: Request): void {
    if (this.#someKnown) request.notes.set(NOTE, this.#parts.join('/'))
  }

  #counts(info: ExtensionInfo): boolean {
    if (info.type || info.charset || info.language || info.encoding) return true
    const choice = this.#choice
    if (info.handler && (choice === 'handlers' || choice === 'filters-and-handlers')) return true
    return Boolean(info.inputFilters || info.outputFilters) && (choice === 'filters' || choice === 'filters-and-handlers')
  }
}
