import type { AnyModule } from '@gatewright/api'
import { sslModule } from './ssl-module.ts'

const ssl: AnyModule = sslModule()

export default ssl
