import { moduleConfig } from '@gatewright/module-kit'

export default moduleConfig('mod_slotmem_plain')
