import { defineModule, type Module } from '@gatewright/api'
import { sharedSlots } from '@gatewright/api/peers'

/** Lets the processes of the server share the states of balancers and their members. */
const slotmemShm: Module = defineModule({
  name: 'slotmem_shm_module',
  source: 'mod_slotmem_shm.c',
  register({ functions, services }) {
    functions.offer(sharedSlots, (name, shape) => services.sharedRecord(name, shape))
  },
})
export default slotmemShm
