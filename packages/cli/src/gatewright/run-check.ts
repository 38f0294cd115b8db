import { byteArguments } from '../argument-bytes.ts'
import { runCheck } from './check.ts'

/** `gatewright check` alone: it is run again and again while somebody waits, so it has a file without what the other verbs need. */
process.exitCode = await runCheck(byteArguments(process.argv.slice(3)))
