import { defineModule, type Module } from '@gatewright/api'
import { fileGroupOf } from '@gatewright/api/peers'
import { FileOwners } from './file-owners.ts'

const authzOwner: Module = defineModule({
  name: 'authz_owner_module',
  source: 'mod_authz_owner.c',
  capabilities: ['fs'],
  register(host) {
    const owners = new FileOwners(host)
    host.providers.authz.add('file-owner', { decidesBy: 'configuration', parse: () => (request) => owners.check(request) })
    host.functions.offer(fileGroupOf, (request) => owners.groupOf(request))
  },
})

export default authzOwner
