import { PROCESS_CONSOLE } from '../password/tool-console.ts'
import { htpasswd } from './htpasswd.ts'

process.exitCode = await htpasswd(process.argv.slice(2), PROCESS_CONSOLE)
