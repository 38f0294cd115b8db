import {
  type AuthzStatus,
  DECLINED,
  type Denial,
  describeTarget,
  HTTP_FORBIDDEN,
  HTTP_INTERNAL_SERVER_ERROR,
  HTTP_UNAUTHORIZED,
  type MaybePromise,
  type ModuleHost,
  OK,
  type Outcome,
  type Request,
} from '@gatewright/api'
import { authTypeOf, hostRulesStandAlone } from '@gatewright/api/peers'
import { type DecisionTracer, decisionObserver } from '@gatewright/api/tracing'
import type { AuthzConfig } from './config.ts'
import { evaluate } from './decision/evaluate.ts'
import type { Group } from './decision/node.ts'
import { providersOf } from './decision/providers-of.ts'
import { type Tracer, tracerPair } from './decision/tracer.ts'
import { Trail } from './decision/trail.ts'

/**
 * When the Require tree is evaluated: before authentication, and again after it if a user could change the
 * result.
 */
type Moment = 'before authentication' | 'after authentication'

/** An evaluated tree. */
interface Evaluated {
  readonly moment: Moment
  readonly root: Group
  readonly status: AuthzStatus
}

/** Implements the two authorization hooks with the effective Require tree. */
export class Authorizer {
  readonly #host: ModuleHost<AuthzConfig, undefined>
  readonly #trail: Trail

  constructor(host: ModuleHost<AuthzConfig, undefined>) {
    this.#host = host
    this.#trail = new Trail(host.log)
  }

  decide(request: Request, moment: Moment): MaybePromise<Outcome> {
    const { configOf, functions, log } = this.#host
    const config = configOf(request)
    if (config.root === null) return this.#withoutDirectives(request, moment)

    const standAlone = functions.get(hostRulesStandAlone)
    if (standAlone?.(request)) {
      request.tracer?.step(request, { kind: 'require set aside', root: config.root })
      log.write(
        request,
        'debug',
        '',
        'authorization result: granted (host rules of mod_access_compat in a URL section stand alone)',
      )
      return OK
    }

    request.denial = null
    const observer = decisionObserver(request, this.#host.optionalHooks)
    const status = evaluate(config.root, request, this.#tracerOf(request, observer))
    return typeof status === 'string'
      ? this.#outcome(request, { moment, root: config.root, status }, observer)
      : this.#outcomeLater(request, status, { moment, root: config.root }, observer)
  }

  async #outcomeLater(
    request: Request,
    pending: Promise<AuthzStatus>,
    { moment, root }: { readonly moment: Moment; readonly root: Group },
    observer: DecisionTracer | null,
  ): Promise<Outcome> {
    return this.#outcome(request, { moment, root, status: await pending }, observer)
  }

  /**
   * Collects the steps for the error log, for those who ask for the reasons, or for both; null if
   * neither needs them.
   */
  #tracerOf(request: Request, observer: DecisionTracer | null): Tracer | null {
    const trail = this.#host.log.enabled(request, 'debug') ? this.#trail : null
    if (observer === null) return trail
    return trail === null ? observer : tracerPair(trail, observer)
  }

  /** Without Require the request is granted, unless an AuthType shows that it was meant to be protected. */
  #withoutDirectives(request: Request, moment: Moment): Outcome {
    const { log } = this.#host
    const status = this.#authType(request) === null ? 'granted' : 'general-error'
    decisionObserver(request, this.#host.optionalHooks)?.step(request, { kind: 'require', moment, root: null, status })
    if (status === 'general-error') {
      log.write(request, 'error', 'AH01627', 'AuthType configured with no corresponding authorization directives')
      return HTTP_INTERNAL_SERVER_ERROR
    }
    log.write(request, 'debug', 'AH01628', 'authorization result: granted (no directives)')
    return OK
  }

  #outcome(request: Request, { moment, root, status }: Evaluated, observer: DecisionTracer | null): Outcome {
    observer?.step(request, { kind: 'require', moment, root, status })
    switch (status) {
      case 'granted':
        return OK
      case 'denied-no-user':
        if (moment === 'before authentication') return DECLINED
        request.refusedBy = providersOf(root)
        this.#host.log.write(request, 'error', 'AH01629', `authorization failure (no authenticated user): ${request.uri}`)
        return HTTP_UNAUTHORIZED
      case 'denied':
      case 'neutral':
        request.refusedBy = providersOf(root)
        return this.#refusal(request, moment)
      default:
        return HTTP_INTERNAL_SERVER_ERROR
    }
  }

  /**
   * 403 if no other user could get a better result; else 401 with a new challenge, which core requests from
   * the authentication module.
   */
  #refusal(request: Request, moment: Moment): Outcome {
    const { configOf, log } = this.#host
    if (request.denial !== null) return this.#denialOf(request, request.denial)
    if (moment === 'before authentication' || this.#authType(request) === null) {
      log.write(request, 'error', 'AH01630', `client denied by server configuration: ${describeTarget(request)}`)
      return HTTP_FORBIDDEN
    }
    log.write(request, 'error', 'AH01631', `user ${request.user ?? ''}: authorization failure for "${request.uri}": `)
    return configOf(request).sendForbidden === true ? HTTP_FORBIDDEN : HTTP_UNAUTHORIZED
  }

  /** The refusal that a provider wants. A status that is no error would grant access, so it counts as 403. */
  #denialOf(request: Request, { status, fields = {} }: Denial): Outcome {
    const isError = status >= 400 && status <= 599
    for (const [name, value] of Object.entries(fields)) request.errHeadersOut.set(name, value)
    this.#host.log.write(request, 'error', 'AH01630', `client denied by server configuration: ${describeTarget(request)}`)
    return isError ? status : HTTP_FORBIDDEN
  }

  #authType(request: Request): string | null {
    return this.#host.functions.get(authTypeOf)?.(request) ?? null
  }
}
