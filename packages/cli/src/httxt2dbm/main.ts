import { byteArguments } from '../argument-bytes.ts'
import { PROCESS_IO } from '../tool-io.ts'
import { httxt2dbm } from './httxt2dbm.ts'

process.exitCode = httxt2dbm(byteArguments(process.argv.slice(2)), PROCESS_IO)
