import { byteArguments } from '../argument-bytes.ts'
import { PROCESS_CONSOLE } from '../tool-console.ts'
import { httxt2dbm } from './httxt2dbm.ts'

process.exitCode = httxt2dbm(byteArguments(process.argv.slice(2)), PROCESS_CONSOLE)
