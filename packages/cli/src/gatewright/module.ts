import { resolve } from 'node:path'
import { inspectModule } from '@gatewright/core'
import { MODULES_FOLDER } from '../program.ts'
import { print } from '../startup-output.ts'
import { MODULE_USAGE, parseModuleOptions } from './module-options.ts'
import { moduleData, moduleReport } from './module-report.ts'
import { printUsage } from './words.ts'

/** `gatewright module`. @returns the exit status */
export function runModule(argv: readonly string[]): number {
  const request = parseModuleOptions(argv)
  if (request === 'help' || 'complaint' in request) return printUsage('module', request, MODULE_USAGE)
  const modules = request.files.map((file) => inspectModule(request.name, file, resolve(file), MODULES_FOLDER))
  print(1, request.output === 'json' ? JSON.stringify(modules.map(moduleData), null, 2) : modules.map(moduleReport).join('\n\n'))
  return modules.every(({ refusal }) => refusal === null) ? 0 : 1
}
