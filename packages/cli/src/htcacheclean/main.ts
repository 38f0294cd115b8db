import { byteArguments } from '../argument-bytes.ts'
import { PROCESS_CONSOLE } from '../tool-console.ts'
import { htcacheclean } from './htcacheclean.ts'

process.exitCode = await htcacheclean(byteArguments(process.argv.slice(2)), PROCESS_CONSOLE)
