import type { ModuleLog, OptionalFunctions, ProviderGroup, ProxyBalancerMethod, StartContext } from '@gatewright/api'
import { sharedSlots } from '@gatewright/api/peers'
import t from 'tap'
import { checkStart } from '../src/check-start.ts'

function checked(hasSlots: boolean, method: ProxyBalancerMethod | undefined, checkOnly = false): string | undefined {
  const balancers = [{ name: 'balancer://x', parameters: { lbmethod: 'byrequests' } }]
  const functions = {
    get: (key: { readonly name: string }) =>
      key.name === sharedSlots.name ? (hasSlots ? () => {} : undefined) : () => balancers,
  } as Partial<OptionalFunctions> as OptionalFunctions
  const methods = { get: () => method } as Partial<ProviderGroup<ProxyBalancerMethod>> as ProviderGroup<ProxyBalancerMethod>
  const log = { write: () => {} } as Partial<ModuleLog> as ModuleLog
  return checkStart({ servers: [{}], checkOnly } as unknown as StartContext, { functions, methods, log })
}

t.test('a start without the modules that balancers need is refused, but not a check of the configuration', async (t) => {
  const method: ProxyBalancerMethod = { elect: () => null }
  t.equal(checked(true, method), undefined)
  t.match(checked(false, method), /is mod_slotmem_shm loaded/)
  t.match(checked(true, undefined), /balancer:\/\/x needs mod_lbmethod_byrequests/)
  t.equal(checked(false, undefined, true), undefined)
})
