import { byteArguments } from '../argument-bytes.ts'
import { gatewright } from './gatewright.ts'

/** The tool itself, started by main.ts. */
process.exitCode = await gatewright(byteArguments(process.argv.slice(2)))
