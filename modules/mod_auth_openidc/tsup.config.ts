import { moduleConfig } from '@gatewright/module-kit'

export default moduleConfig('mod_auth_openidc')
