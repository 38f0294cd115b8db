import type { Problem } from '@gatewright/api'
import { ConfigError } from '../base/config-error.ts'

/** A LoadModule line whose module this server does not provide. */
export interface AbsentModule {
  readonly file: string
  readonly line: number
  readonly problem: Problem
  /** What it is and what serves its purpose, in one sentence. */
  readonly sentence: string
}

/** A file with the line that includes it. */
interface Inclusion {
  readonly path: string
  readonly from: { readonly file: string; readonly line: number } | null
}

/**
 * LoadModule lines of absent modules. httpd stops at the first one. Here reading continues, so that one run of `httpd -t`
 * names all of them; the first is reported as httpd reports it.
 */
export class MissingModules {
  readonly #found: AbsentModule[] = []
  readonly #includes: readonly Inclusion[]

  /** @param includes the files that were opened so far, the last one last */
  constructor(includes: readonly Inclusion[]) {
    this.#includes = includes
  }

  add(module: AbsentModule): void {
    this.#found.push(module)
  }

  /** The error about all of them; undefined if there is none. */
  error(): ConfigError | undefined {
    const [first, ...others] = this.#found
    if (first === undefined) return undefined
    const lines = others.map(({ file, line, sentence }) => `${file}:${line}: ${sentence}`)
    let { file, line } = first
    let { message } = first.problem
    for (let from = this.#from(file); from !== null; from = this.#from(file)) {
      message = `Syntax error on line ${line} of ${file}: ${message}`
      file = from.file
      line = from.line
    }
    return new ConfigError('read', file, line, message, first.problem.hint, lines)
  }

  #from(file: string): Inclusion['from'] {
    return this.#includes.findLast(({ path }) => path === file)?.from ?? null
  }
}
