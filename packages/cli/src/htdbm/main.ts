import { byteArguments } from '../argument-bytes.ts'
import { PROCESS_CONSOLE } from '../tool-console.ts'
import { htdbm } from './htdbm.ts'

process.exitCode = await htdbm(byteArguments(process.argv.slice(2)), PROCESS_CONSOLE)
