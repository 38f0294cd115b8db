import {
  defineModule,
  describeTarget,
  HTTP_FORBIDDEN,
  type MaybePromise,
  type Module,
  OK,
  type Outcome,
  type Request,
  whenSettled,
} from '@gatewright/api'
import { hostDecisionOf, hostRulesStandAlone, satisfyOf } from '@gatewright/api/peers'
import { type DecisionTracer, decisionObserver, type HostDecision } from '@gatewright/api/tracing'
import { AddressReader } from '@gatewright/ipset'
import { describeDecision } from './decision.ts'
import { directives } from './directives.ts'
import { hostAllowed } from './host-access.ts'
import { createHostRules, type HostRules } from './host-rules.ts'
import { type ServerSettings, standsAlone } from './precedence.ts'
import { warnOfDisagreements } from './precedence-warnings.ts'
import type { ClientView } from './rule-list.ts'

const accessCompat: Module<HostRules, ServerSettings> = defineModule({
  name: 'access_compat_module',
  source: 'mod_access_compat.c',
  // No merge: a section with any directive of this module replaces all rules of outer sections.
  perDirectory: { create: createHostRules },
  perServer: {
    create: () => ({}),
    merge: (base, over) => ({ precedence: over.precedence ?? base.precedence }),
  },
  directives,
  register(host) {
    const { hooks, functions, services, log } = host
    const addresses = new AddressReader()
    const client: ClientView = {
      inNetworks: (request, networks) => networks.has(addresses.of(request.useragentAddress)),
      nameOf: (request) => services.remoteHost(request),
    }
    const outcome = (request: Request, allowed: boolean): Outcome => {
      if (allowed) return OK
      request.refusedBy = 'Allow/Deny'
      log.write(request, 'error', 'AH01797', `client denied by server configuration: ${describeTarget(request)}`)
      return HTTP_FORBIDDEN
    }

    /** The same decision, reported to a caller that requests its reasons. */
    const traced = (request: Request, tracer: DecisionTracer, allowed: boolean): MaybePromise<Outcome> => {
      const report = (decision: HostDecision | null): Outcome => {
        if (decision !== null) tracer.step(request, { kind: 'host rules', decision })
        return outcome(request, allowed)
      }
      const decision = describeDecision(host.configOf(request), request, client, allowed)
      return whenSettled(decision, report)
    }

    const decided = (request: Request, allowed: boolean): MaybePromise<Outcome> => {
      const observer = decisionObserver(request, host.optionalHooks)
      return observer === null ? outcome(request, allowed) : traced(request, observer, allowed)
    }

    hooks.accessChecker.add(
      (request) => {
        const allowed = hostAllowed(host.configOf(request), request, client)
        return typeof allowed === 'boolean' ? decided(request, allowed) : allowed.then((late) => decided(request, late))
      },
      { decidesBy: 'configuration' },
    )
    functions.offer(satisfyOf, (request) => host.configOf(request).satisfy[request.methodNumber] ?? 'unset')
    functions.offer(hostDecisionOf, async (request, section) => {
      const rules = host.configIn(section)
      return rules === undefined ? null : describeDecision(rules, request, client, await hostAllowed(rules, request, client))
    })
    functions.offer(hostRulesStandAlone, (request) => standsAlone(host, request))
    hooks.checkConfig.add(() => {
      for (const { config } of host.placedConfigs()) {
        config.allows.prepare()
        config.denies.prepare()
      }
      return undefined
    })
    hooks.testConfig.add((start) => warnOfDisagreements(host, start))
  },
})

export default accessCompat
