import { byteArguments } from '../argument-bytes.ts'
import { PROCESS_CONSOLE } from '../tool-console.ts'
import { splitLogfile } from './split-logfile.ts'

process.exitCode = splitLogfile(byteArguments(process.argv.slice(2)), PROCESS_CONSOLE)
