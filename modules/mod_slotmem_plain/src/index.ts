import { defineModule, type Module } from '@gatewright/api'

/** Named by configurations of httpd, where it offers memory that one process alone uses. Nothing asks for it here. */
const slotmemPlain: Module = defineModule({ name: 'slotmem_plain_module', source: 'mod_slotmem_plain.c' })
export default slotmemPlain
