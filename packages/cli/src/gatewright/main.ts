import { gatewright } from './gatewright.ts'

// All text is bytes, one character each, as in what is read and sent.
process.exitCode = await gatewright(process.argv.slice(2).map((word) => Buffer.from(word).toString('latin1')))
