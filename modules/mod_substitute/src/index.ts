import {
  contexts,
  defineModule,
  directive,
  FILTER_RANK,
  type FilteredBody,
  HTTP_INTERNAL_SERVER_ERROR,
  type MaybePromise,
  type Module,
  type ModuleLog,
  type Outcome,
  type Request,
} from '@gatewright/api'
import { forgetLengthAndTag, isLineTooLong, LineSplitter, type Rewriter, rewriteBody } from '@gatewright/filters'
import { parseSubstitution } from './parse-substitution.ts'
import { parseSize } from './size.ts'
import { SubstitutedLineTooLong, type Substitution, substituteLine } from './substitution.ts'

interface SubstituteConfig {
  substitutions: readonly Substitution[]
  /** The longest line in bytes. */
  maxLineLength?: number
  inheritBefore?: boolean
}

const DEFAULT_MAX_LINE_LENGTH = 1024 * 1024

const ANYWHERE = { scope: 'directory', context: contexts.anywhere, override: 'FileInfo' } as const

/** SUBSTITUTE: replaces texts in responses, line by line. */
const substitute: Module<SubstituteConfig> = defineModule<SubstituteConfig>({
  name: 'substitute_module',
  source: 'mod_substitute.c',
  perDirectory: { create: () => ({ substitutions: [] }), merge },
  directives: {
    Substitute: directive.take1<SubstituteConfig>({
      ...ANYWHERE,
      help: 'Pattern to filter the response content (s/foo/bar/[inf])',
      set: (config, text, { services }) => {
        const substitution = parseSubstitution(text, services)
        if (typeof substitution === 'string') return substitution
        config.substitutions = [...config.substitutions, substitution]
        return undefined
      },
    }),
    SubstituteMaxLineLength: directive.take1<SubstituteConfig>({
      ...ANYWHERE,
      help: 'Maximum line length',
      set: (config, word) => {
        const size = parseSize(word)
        if (size === undefined) {
          return "SubstituteMaxLineLength must be a non-negative integer optionally suffixed with 'b', 'k', 'm' or 'g'."
        }
        config.maxLineLength = size
        return undefined
      },
    }),
    SubstituteInheritBefore: directive.flag<SubstituteConfig>({
      ...ANYWHERE,
      help: 'Apply inherited patterns before those of the current context',
      set: (config, on) => {
        config.inheritBefore = on
      },
    }),
  },
  register({ providers, configOf, log }) {
    providers.outputFilters.add('SUBSTITUTE', {
      name: 'SUBSTITUTE',
      rank: FILTER_RANK.resource,
      filter: (request, body) => substituteBody(request, body, configOf(request), log),
    })
  },
})
export default substitute

function merge(base: Readonly<SubstituteConfig>, over: Readonly<SubstituteConfig>): SubstituteConfig {
  const inheritBefore = over.inheritBefore ?? base.inheritBefore
  return {
    substitutions:
      inheritBefore === true ? [...base.substitutions, ...over.substitutions] : [...over.substitutions, ...base.substitutions],
    maxLineLength: over.maxLineLength ?? base.maxLineLength,
    inheritBefore,
  }
}

function substituteBody(
  request: Request,
  body: FilteredBody,
  { substitutions, maxLineLength = DEFAULT_MAX_LINE_LENGTH }: Readonly<SubstituteConfig>,
  log: ModuleLog,
): MaybePromise<FilteredBody | Outcome> {
  forgetLengthAndTag(request)
  if (substitutions.length === 0) return body
  return rewriteBody(request, body, new LineSubstituter(substitutions, maxLineLength)).catch((error: unknown) => {
    if (!isLineTooLong(error) && !(error instanceof SubstitutedLineTooLong)) throw error
    log.write(request, 'error', 'AH01328', `Line too long, URI ${request.uri}`)
    return HTTP_INTERNAL_SERVER_ERROR
  })
}

class LineSubstituter implements Rewriter {
  readonly #substitutions: readonly Substitution[]
  readonly #limit: number
  readonly #lines: LineSplitter

  constructor(substitutions: readonly Substitution[], limit: number) {
    this.#substitutions = substitutions
    this.#limit = limit
    this.#lines = new LineSplitter(limit)
  }

  *push(piece: Uint8Array): Generator<Uint8Array> {
    let made = ''
    let count = 0
    for (const line of this.#lines.push(piece)) {
      made += this.#substituted(line)
      if (++count % LINES !== 0) continue
      yield Buffer.from(made, 'latin1')
      made = ''
    }
    yield Buffer.from(made, 'latin1')
  }

  *end(): Generator<Uint8Array> {
    const rest = this.#lines.end()
    if (rest !== '') yield Buffer.from(this.#substituted(rest), 'latin1')
  }

  #substituted(line: string): string {
    return substituteLine(line, this.#substitutions, this.#limit)
  }
}

/** Number of lines rewritten per step. */
const LINES = 64
