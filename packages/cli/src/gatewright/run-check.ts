import { byteArguments } from '../argument-bytes.ts'
import { runCheck } from './check.ts'

/**
 * Only `gatewright check`: it runs repeatedly while a person waits, so its file excludes the code of the
 * other verbs.
 */
process.exitCode = await runCheck(byteArguments(process.argv.slice(3)))
