import { type DirectivePlace, isRequestTooExpensive, type MaybePromise } from '@gatewright/api'
import type { ConfigNode } from '@gatewright/config'
import { ConfigError } from '../base/config-error.ts'
import type { BindError } from '../config/bind-context.ts'
import { bindInSteps, bindNodes } from '../config/binder.ts'
import type { ConfigServicesImpl } from '../config/config-services.ts'
import type { Section } from '../model/section.ts'
import type { ServerConfiguration } from '../model/server-configuration.ts'
import type { RequestWork } from '../work/request-work.ts'
import { type HtaccessRules, htaccessContext, htaccessSection, readHtaccess } from './read-htaccess.ts'

/** The content of a .htaccess file, or the message that causes a 500. */
export type HtaccessContent = Section | { readonly error: string }

/** A line takes some microseconds, one with a pattern a few more. */
const STEPS_OF_A_LINE = 8

/** The line that was read last, or is about to be applied; undefined before the first one. */
type Step = DirectivePlace | undefined

/** Reads a .htaccess file and applies its lines: usually in one pass, in slices if there are many lines. */
export class HtaccessParse {
  readonly #work: RequestWork
  readonly #section: Section
  readonly #steps: Generator<Step, HtaccessContent, void>
  #finished: HtaccessContent | null = null

  /** @param work the account of this file; the requests that wait for it have accounts of their own */
  constructor(
    configuration: ServerConfiguration,
    services: ConfigServicesImpl,
    file: HtaccessRules & { readonly text: string },
    work: RequestWork,
  ) {
    this.#work = work
    this.#section = htaccessSection(file)
    this.#steps = parseInSteps(configuration, services, file, this.#section)
  }

  /**
   * The content of the file; a promise if other work must run in between. A file that exceeds its computing
   * limit is a mistake.
   */
  run(): MaybePromise<HtaccessContent> {
    if (this.#finished !== null) return this.#finished
    for (let step = this.#steps.next(); ; step = this.#steps.next()) {
      if (step.done === true) {
        this.#finished = step.value
        return step.value
      }
      if (this.#work.spend(STEPS_OF_A_LINE)) return this.#pause(step.value)
    }
  }

  /** The same for a caller that cannot wait, which gets a promise only if parsing takes very long. */
  runInOneGo(): MaybePromise<HtaccessContent> {
    return this.#work.inOneGo(() => this.run())
  }

  async #pause(place: Step): Promise<HtaccessContent> {
    try {
      await this.#work.pause(place)
    } catch (error) {
      if (!isRequestTooExpensive(error)) throw error
      this.#finished = { error: error.message }
    }
    return this.run()
  }
}

function* parseInSteps(
  configuration: ServerConfiguration,
  services: ConfigServicesImpl,
  file: HtaccessRules & { readonly text: string },
  section: Section,
): Generator<Step, HtaccessContent, void> {
  const nodes: ConfigNode[] = []
  if (configuration.keptLines !== null) section.lines = nodes
  try {
    for (const _ of readHtaccess(configuration, services, { ...file, section, nodes })) yield nodes.at(-1)
  } catch (error) {
    if (error instanceof ConfigError) return mistakeAt(services, error)
    throw error
  }
  const error = yield* bindInSteps(nodes, htaccessContext(configuration, services, { ...file, section, bind: bindNodes }))
  return error === undefined ? section : mistakeAt(services, error)
}

/**
 * The line about each request that meets the mistake is httpd's, without the place. The place and advice are logged
 * once for each version of the file.
 */
function mistakeAt(services: ConfigServicesImpl, { message, file, line, hint }: Omit<BindError, 'nested'>): HtaccessContent {
  const place = `${file}:${line}`
  const text = message.startsWith(`${place}: `) ? message : `${place}: ${message}`
  const advice = hint === undefined ? '' : `hint: ${hint}; `
  services.coreLog.write(null, 'warn', '', `${text}: ${advice}httpd -t --htaccess lists every mistake`)
  return { error: message }
}
