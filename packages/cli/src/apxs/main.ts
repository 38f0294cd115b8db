import { apxs } from './apxs.ts'
import { PROCESS_CONSOLE } from './console.ts'

process.exit(await apxs(process.argv.slice(2), PROCESS_CONSOLE))
