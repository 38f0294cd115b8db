import { moduleConfig } from '@gatewright/module-kit'

export default moduleConfig('mod_case_filter_in')
