import { byteArguments } from '../argument-bytes.ts'
import { runCheck } from './check.ts'

/**
 * Only `gatewright check`: it is run repeatedly while a person waits, so its file excludes what the other
 * verbs need.
 */
process.exitCode = await runCheck(byteArguments(process.argv.slice(3)))
