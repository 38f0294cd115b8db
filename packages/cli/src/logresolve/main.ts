import { byteArguments } from '../argument-bytes.ts'
import { PROCESS_CONSOLE } from '../tool-console.ts'
import { logresolve } from './logresolve.ts'

process.exitCode = await logresolve(byteArguments(process.argv.slice(2)), PROCESS_CONSOLE)
