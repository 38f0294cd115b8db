import { DECLINED, defineModule, type Module } from '@gatewright/api'
import { UniqueIds } from './unique-ids.ts'

const VARIABLE = 'UNIQUE_ID'

/** Gives each request an identifier that no other request has. */
const uniqueId: Module = defineModule({
  name: 'unique_id_module',
  source: 'mod_unique_id.c',
  register({ hooks }) {
    const ids = new UniqueIds()
    hooks.postReadRequest.add((request) => {
      // The request that it was redirected from is the same request of the client.
      const id = request.prev?.env.get(VARIABLE) ?? ids.next(request.receivedAt)
      request.env.set(VARIABLE, id)
      return DECLINED
    })
  },
})
export default uniqueId
