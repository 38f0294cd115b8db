import { PROCESS_CONSOLE } from '../password/tool-console.ts'
import { htdigest } from './htdigest.ts'

process.exitCode = await htdigest(process.argv.slice(2), PROCESS_CONSOLE)
