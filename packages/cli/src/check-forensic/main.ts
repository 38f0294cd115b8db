import { byteArguments } from '../argument-bytes.ts'
import { PROCESS_CONSOLE } from '../tool-console.ts'
import { checkForensic } from './check-forensic.ts'

process.exitCode = checkForensic(byteArguments(process.argv.slice(2)), PROCESS_CONSOLE)
