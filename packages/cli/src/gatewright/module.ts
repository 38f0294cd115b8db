import { resolve } from 'node:path'
import { inspectModule } from '@gatewright/core'
import { MODULES_FOLDER } from '../program.ts'
import { print } from '../startup-output.ts'
import { MODULE_USAGE, parseModuleOptions } from './module-options.ts'
import { moduleData, moduleReport } from './module-report.ts'

/** `gatewright module`. @returns the exit status */
export function runModule(argv: readonly string[]): number {
  const request = parseModuleOptions(argv)
  if (request === 'help') {
    print(1, MODULE_USAGE)
    return 0
  }
  if ('complaint' in request) {
    print(2, `gatewright module: ${request.complaint}\n\n${MODULE_USAGE}`)
    return 2
  }
  const modules = request.files.map((file) => inspectModule(request.name, file, resolve(file), MODULES_FOLDER))
  print(1, request.output === 'json' ? JSON.stringify(modules.map(moduleData), null, 2) : modules.map(moduleReport).join('\n\n'))
  return modules.every(({ refusal }) => refusal === null) ? 0 : 1
}
