import { byteArguments } from '../argument-bytes.ts'
import { gatewright } from './gatewright.ts'

process.exitCode = await gatewright(byteArguments(process.argv.slice(2)))
