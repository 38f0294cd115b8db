import type { Module } from '@gatewright/api'
import { mdModule } from './md-module.ts'
import type { MdSettings } from './settings.ts'

/** Run by name in a process of its own. */
export { runAcmeProcess } from './drive/acme-process.ts'

const md: Module<undefined, MdSettings> = mdModule()
export default md
