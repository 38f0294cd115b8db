import { defineModule, type Module, type ProxyWorker } from '@gatewright/api'
import { balancersOf } from '@gatewright/api/peers'
import { type CheckSettings, namedSettings, PARAMETERS, setParameter, standardSettings } from './check-settings.ts'
import { type CheckedMember, startChecks } from './checker.ts'
import { directives, hasAjp } from './directives.ts'

/** Checks the members of balancers at intervals, and takes those out of service that fail. */
const proxyHcheck: Module<undefined, undefined> = defineModule<undefined, undefined>({
  name: 'proxy_hcheck_module',
  source: 'mod_proxy_hcheck.c',
  capabilities: ['net'],
  perServer: { create: () => undefined },
  directives,
  register({ providers, hooks, functions, services, log }) {
    const settings = new WeakMap<ProxyWorker, CheckSettings>()
    for (const name of PARAMETERS) {
      providers.proxyWorkerParameters.add(name, {
        set(worker, value, command) {
          const own = settings.get(worker) ?? standardSettings()
          settings.set(worker, own)
          return setParameter(own, name, value, namedSettings(command.server), hasAjp(command))
        },
      })
    }
    // `hc('body')` is known to the expressions of checks alone, but the syntax of all is checked alike.
    providers.expressionNames.add('mod_proxy_hcheck.c', { stringFunction: (name) => (name === 'hc' ? () => '' : undefined) })
    let members: readonly CheckedMember[] = []
    hooks.postConfig.add(({ servers }) => {
      const balancers = new Set(servers.flatMap((server) => functions.get(balancersOf)?.(server) ?? []))
      members = [...balancers].flatMap((balancer) =>
        balancer.members.flatMap((member) => {
          const own = settings.get(member)
          return own === undefined || own.method === 'NONE' ? [] : [{ member, settings: own }]
        }),
      )
    })
    services.inOneProcess(() => startChecks(members, log))
  },
})
export default proxyHcheck
