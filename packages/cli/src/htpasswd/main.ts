import { byteArguments } from '../argument-bytes.ts'
import { PROCESS_CONSOLE } from '../tool-console.ts'
import { htpasswd } from './htpasswd.ts'

process.exitCode = await htpasswd(byteArguments(process.argv.slice(2)), PROCESS_CONSOLE)
