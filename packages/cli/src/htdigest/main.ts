import { byteArguments } from '../argument-bytes.ts'
import { PROCESS_CONSOLE } from '../tool-console.ts'
import { htdigest } from './htdigest.ts'

process.exitCode = await htdigest(byteArguments(process.argv.slice(2)), PROCESS_CONSOLE)
