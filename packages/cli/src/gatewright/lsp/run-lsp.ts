import { byteArguments } from '../../argument-bytes.ts'
import { runLsp } from './lsp.ts'

/** Only `gatewright lsp`: the protocol's library is loaded by no other verb. */
runLsp(byteArguments(process.argv.slice(3)))
