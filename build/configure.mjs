import { runConfigure } from '../packages/module-kit/src/configure/command.ts'
import { ROOT } from './inputs.cjs'

process.exitCode = runConfigure(process.argv.slice(2), {
  source: ROOT,
  environment: process.env,
  out: (line) => console.log(line),
  err: (line) => console.error(line),
})
