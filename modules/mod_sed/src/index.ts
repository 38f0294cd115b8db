import {
  BodyRefused,
  type Command,
  defineModule,
  directive,
  FILTER_RANK,
  type FilteredBody,
  HTTP_BAD_REQUEST,
  HTTP_INTERNAL_SERVER_ERROR,
  isBodyRefused,
  isRequestTooExpensive,
  type Module,
  type ModuleLog,
  type Outcome,
  type Request,
  type SetResult,
} from '@gatewright/api'
import { forgetLengthAndTag, isLineTooLong, rewriteBody, rewriteRequestBody } from '@gatewright/filters'
import { compileScript } from './compile-script.ts'
import { type Plan, planOf } from './plan.ts'
import type { Script } from './script.ts'
import { SedError, SedRewriter } from './sed-rewriter.ts'

/** The scripts of a section; they replace those of the sections around it. */
interface SedConfig {
  output: readonly Script[]
  input: readonly Script[]
}

const SECTION = { scope: 'directory', context: ['directory'] } as const

/** Sed: edits responses and request bodies line by line. */
const sed: Module<SedConfig> = defineModule<SedConfig>({
  name: 'sed_module',
  source: 'mod_sed.c',
  capabilities: ['fs'],
  perDirectory: {
    create: () => ({ output: [], input: [] }),
    merge: (base, over) => ({
      output: over.output.length === 0 ? base.output : over.output,
      input: over.input.length === 0 ? base.input : over.input,
    }),
  },
  directives: {
    OutputSed: directive.take1<SedConfig>({
      ...SECTION,
      help: 'Sed regular expression for Response',
      set: (config, text, command) =>
        addScript(text, command, (script) => {
          config.output = [...config.output, script]
        }),
    }),
    InputSed: directive.take1<SedConfig>({
      ...SECTION,
      help: 'Sed regular expression for Request',
      set: (config, text, command) =>
        addScript(text, command, (script) => {
          config.input = [...config.input, script]
        }),
    }),
  },
  register({ providers, configOf, log }) {
    const plans = new WeakMap<readonly Script[], ReturnType<typeof planOf>>()
    const planned = (scripts: readonly Script[]): ReturnType<typeof planOf> => {
      let plan = plans.get(scripts)
      if (plan === undefined) {
        plan = planOf(scripts)
        plans.set(scripts, plan)
      }
      return plan
    }
    providers.outputFilters.add('Sed', {
      name: 'Sed',
      rank: FILTER_RANK.resource,
      filter: (request, body) => {
        const { output } = configOf(request)
        return output.length === 0 ? body : editResponse(request, body, planned(output), log)
      },
    })
    providers.inputFilters.add('Sed', {
      name: 'Sed',
      rank: FILTER_RANK.resource,
      filter: (request, body) => {
        const { input } = configOf(request)
        return input.length === 0 ? body : editRequest(request, body, planned(input), log)
      },
    })
  },
})
export default sed

function addScript(text: string, { services }: Command, add: (script: Script) => void): SetResult {
  const script = compileScript(text, services)
  if ('error' in script) return `Failed to compile sed expression. ${script.error}`
  add(script)
  return undefined
}

async function editResponse(
  request: Request,
  body: FilteredBody,
  plan: Plan | { readonly error: string },
  log: ModuleLog,
): Promise<FilteredBody | Outcome> {
  forgetLengthAndTag(request)
  try {
    if ('error' in plan) throw new Error(plan.error)
    return await rewriteBody(request, body, new SedRewriter(plan))
  } catch (error) {
    if (isRequestTooExpensive(error)) throw error
    report(request, log, error, 'AH10394', 'output')
    return HTTP_INTERNAL_SERVER_ERROR
  }
}

async function* editRequest(
  request: Request,
  body: AsyncIterable<Uint8Array>,
  plan: Plan | { readonly error: string },
  log: ModuleLog,
): AsyncGenerator<Uint8Array> {
  // The length of the edited body is not known.
  request.headersIn.delete('Content-Length')
  try {
    if ('error' in plan) throw new Error(plan.error)
    yield* rewriteRequestBody(request, body, new SedRewriter(plan))
  } catch (error) {
    if (isRequestTooExpensive(error) || isBodyRefused(error)) throw error
    report(request, log, error, 'AH10395', 'input')
    throw new BodyRefused('the body cannot be edited', HTTP_BAD_REQUEST)
  }
}

/** The code of APR_EGENERAL. */
const GENERAL = { code: 20014, text: 'Internal error (specific information not available)' }

const NO_MEMORY = { code: 12, text: 'Cannot allocate memory' }

function report(request: Request, log: ModuleLog, error: unknown, code: string, what: 'input' | 'output'): void {
  if (error instanceof SedError || isLineTooLong(error)) {
    return log.write(request, 'error', code, `error evaluating sed on ${what}`, NO_MEMORY)
  }
  log.write(request, 'error', 'AH02998', error instanceof Error ? error.message : String(error))
  log.write(request, 'error', code, `error evaluating sed on ${what}`, GENERAL)
}
