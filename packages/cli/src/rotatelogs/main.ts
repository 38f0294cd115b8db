import { byteArguments } from '../argument-bytes.ts'
import { PROCESS_CONSOLE } from '../tool-console.ts'
import { rotatelogs } from './rotatelogs.ts'

process.exitCode = await rotatelogs(byteArguments(process.argv.slice(2)), process.stdin, PROCESS_CONSOLE)
