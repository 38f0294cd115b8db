import { byteArguments } from '../argument-bytes.ts'
import { PROCESS_IO } from '../tool-io.ts'
import { htdbm } from './htdbm.ts'

process.exitCode = await htdbm(byteArguments(process.argv.slice(2)), PROCESS_IO)
