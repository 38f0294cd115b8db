import {
  type Command,
  type Condition,
  ExpressionError,
  type ExpressionFunctions,
  type ExpressionNames,
  type ModuleLog,
  type Pattern,
  type ProviderGroup,
  type Request,
  type Text,
} from '@gatewright/api'
import {
  compilePattern,
  type ExprLookup,
  type ExprOptions,
  ExprRuntimeError,
  ExprSyntaxError,
  MatchState,
  type Condition as ParsedCondition,
  PatternError,
  type PatternFlags,
  parseCondition,
  parseString,
  patternGroups,
} from '@gatewright/expr'
import type { ProcessConfig } from '../model/process-config.ts'
import { RequestRecord } from '../model/request-record.ts'
import type { LoadedModule } from '../modules/registry.ts'
import { createExpressionLookup, looksUpRequests } from '../services/expression-lookup.ts'
import { plainHeader, varyingHeader } from '../services/expression-variables.ts'
import { networkTest } from '../services/networks.ts'
import type { SystemAccounts } from '../services/system-accounts.ts'
import { internals } from './command-impl.ts'

/** $0 to $9. */
const GROUPS: readonly number[] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]

/** Compiles the regular expressions, conditions and texts of directives. */
export class ExpressionCompiler {
  /** True if a condition in the server's own files makes sub-requests. */
  conditionsLookUp = false
  readonly #process: ProcessConfig
  readonly #logFor: (owner: LoadedModule) => ModuleLog
  /** Header fields that a condition reads are added to Vary; those of a text are not. */
  readonly #conditionLookup: ExprLookup<RequestRecord>
  readonly #textLookup: ExprLookup<RequestRecord>

  constructor(
    process: ProcessConfig,
    ofModules: ProviderGroup<ExpressionNames>,
    accounts: SystemAccounts,
    logFor: (owner: LoadedModule) => ModuleLog,
  ) {
    this.#process = process
    this.#logFor = logFor
    this.#conditionLookup = createExpressionLookup(networkTest, accounts, varyingHeader, ofModules)
    this.#textLookup = createExpressionLookup(networkTest, accounts, plainHeader, ofModules)
  }

  pattern(source: string, flags: { readonly ignoreCase?: boolean } = {}): Pattern | { readonly error: string } {
    const defaults = this.#patternDefaults
    const compiled = compilePattern(source, flags.ignoreCase === true ? { ...defaults, ignoreCase: true } : defaults)
    if (compiled instanceof PatternError) return { error: compiled.message }
    const { names } = patternGroups(compiled)
    return {
      source,
      names,
      test: (text) => compiled.test(text),
      match: (text) => {
        const match = compiled.exec(text)
        return match === null ? null : Array.from(match, (group) => group ?? '')
      },
      search: (text) => {
        const match = compiled.exec(text)
        return match === null ? null : { index: match.index, groups: Array.from(match, (group) => group ?? '') }
      },
      namedGroups: (text) => {
        const match = compiled.exec(text)
        if (match === null) return null
        const found = new Map<string, string>()
        for (const [name, number] of names) {
          const group: string | undefined = match[number]
          if (group !== undefined) found.set(name, group)
        }
        return found
      },
    }
  }

  /** RegexDefaultOptions. */
  get #patternDefaults(): PatternFlags {
    const process = this.#process
    return {
      ignoreCase: process.regexIgnoreCase,
      extended: process.regexExtended,
      dotAll: process.regexDotAll,
      dollarEndOnly: process.regexDollarEndOnly,
    }
  }

  condition(
    source: string,
    command: Command,
    options: { readonly vary?: 'told' | 'untold' } = {},
  ): Condition | { readonly error: string } {
    return this.#condition(source, command, options.vary === 'untold' ? this.#textLookup : this.#conditionLookup, 'usual')
  }

  conditionByLength(source: string, command: Command): Condition | { readonly error: string } {
    return this.#condition(source, command, this.#conditionLookup, 'by length')
  }

  /** An expression that is not in the configuration: one in a page. */
  conditionOfPage(source: string, own: ExpressionFunctions = {}): Condition | { readonly error: string } {
    const server = this.#conditionLookup
    const lookup: ExprLookup<RequestRecord> = {
      ...server,
      stringFunction: (name) => (Object.hasOwn(own, name) ? { call: own[name] } : server.stringFunction(name)),
    }
    return this.#compiled(source, lookup, { context: 'page' }, ({ message }) => new ExpressionError(message))
  }

  #condition(
    source: string,
    command: Command,
    lookup: ExprLookup<RequestRecord>,
    comparisons: 'usual' | 'by length',
  ): Condition | { readonly error: string } {
    const context = command.inHtaccess ? 'restricted' : 'unrestricted'
    return this.#compiled(
      source,
      lookup,
      { context, comparisons },
      (error, request) => this.#expressionFailure(error, request, command),
      ({ operators }) => {
        if (!command.inHtaccess && looksUpRequests(operators)) this.conditionsLookUp = true
      },
    )
  }

  /** @param failure the error to throw if the evaluation fails */
  #compiled(
    source: string,
    lookup: ExprLookup<RequestRecord>,
    options: Pick<ExprOptions<RequestRecord>, 'context' | 'comparisons'>,
    failure: (error: ExprRuntimeError, request: Request) => unknown,
    note: (parsed: ParsedCondition<RequestRecord>) => void = () => undefined,
  ): Condition | { readonly error: string } {
    const parsed = parseCondition(source, { lookup, pattern: this.#patternDefaults, ...options })
    if (parsed instanceof ExprSyntaxError)
      return { error: parsed.hint === undefined ? parsed.message : `${parsed.message}: ${parsed.hint}` }
    note(parsed)
    const evaluate = (request: Request, state?: MatchState): boolean => {
      try {
        return parsed.evaluate(RequestRecord.of(request), state)
      } catch (error) {
        throw error instanceof ExprRuntimeError ? failure(error, request) : error
      }
    }
    return {
      mentions: parsed.mentions,
      test: (request) => evaluate(request),
      match: (request) => {
        const state = new MatchState()
        if (!evaluate(request, state)) return null
        return state.match === null ? [] : GROUPS.map((group) => state.group(group))
      },
    }
  }

  text(source: string, command: Command, log?: ModuleLog): Text | { readonly error: string } {
    const parsed = parseString(source, {
      lookup: this.#textLookup,
      context: command.inHtaccess ? 'restricted' : 'unrestricted',
      pattern: this.#patternDefaults,
    })
    if (parsed instanceof ExprSyntaxError)
      return { error: parsed.hint === undefined ? parsed.message : `${parsed.message}: ${parsed.hint}` }
    return {
      constant: parsed.constant,
      of: (request) => {
        if (parsed.constant !== undefined) return parsed.constant
        try {
          return parsed.evaluate(RequestRecord.of(request))
        } catch (error) {
          throw this.#expressionFailure(error, request, command, log)
        }
      },
    }
  }

  #expressionFailure(error: unknown, request: Request, command: Command, log?: ModuleLog): unknown {
    if (!(error instanceof ExprRuntimeError)) return error
    const target = log ?? this.#logFor(internals(command).bound.owner)
    target.write(request, 'error', '', `Evaluation of expression from ${command.file}:${command.line} failed: ${error.message}`)
    return new ExpressionError(error.message)
  }
}
