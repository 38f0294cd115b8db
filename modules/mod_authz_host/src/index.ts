import { defineModule, type Module } from '@gatewright/api'
import { AddressReader } from '@gatewright/ipset'
import { forwardDnsProvider } from './forward-dns.ts'
import { hostProvider } from './host.ts'
import { ipProvider } from './ip.ts'
import { localProvider } from './local.ts'

const authzHost: Module = defineModule({
  name: 'authz_host_module',
  source: 'mod_authz_host.c',
  register({ providers, services, log }) {
    const clients = new AddressReader()
    providers.authz.add('ip', ipProvider(clients))
    providers.authz.add('host', hostProvider(services, log))
    providers.authz.add('forward-dns', forwardDnsProvider(services, clients, log))
    providers.authz.add('local', localProvider(clients))
  },
})

export default authzHost
