import { byteArguments } from '../argument-bytes.ts'
import { gatewright } from './gatewright.ts'

/** The tool itself, which main.ts starts. */
process.exitCode = await gatewright(byteArguments(process.argv.slice(2)))
