import type { ModuleLog, OptionalFunctions, Providers, StartContext } from '@gatewright/api'
import { balancersOf, sharedSlots } from '@gatewright/api/peers'

/** What the checks of the start need of the module. */
export interface StartParts {
  readonly functions: OptionalFunctions
  readonly methods: Providers['proxyBalancerMethods']
  readonly log: ModuleLog
}

/** Refuses to serve without the modules that balancers need. @returns why */
export function checkStart({ servers, checkOnly }: StartContext, { functions, methods, log }: StartParts): string | undefined {
  if (checkOnly) return undefined
  if (functions.get(sharedSlots) === undefined) {
    const text = "Failed to lookup provider 'shm' for 'slotmem': is mod_slotmem_shm loaded??"
    log.write(null, 'emerg', 'AH01177', text)
    return text
  }
  for (const server of servers) {
    for (const { name, parameters } of functions.get(balancersOf)?.(server) ?? []) {
      if (methods.get(parameters.lbmethod) !== undefined) continue
      log.write(null, 'crit', 'AH02432', `Cannot find LB Method: ${parameters.lbmethod}`)
      return `${name} needs mod_lbmethod_${parameters.lbmethod}: add its LoadModule line`
    }
  }
  return undefined
}
