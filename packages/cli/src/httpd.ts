import type { StartConsole } from '@gatewright/mpm/supervisor'
import { byteWords } from './argument-bytes.ts'
import { COMPILED_IN_NAMES } from './compiled-in-names.ts'
import { wantedDumps } from './dump-defines.ts'
import { type HttpdOptions, parseOptions } from './options.ts'
import { ENTRY, MODULES_FOLDER, OWN_MODULES, PROGRAM, STANDARD_FILES, startPaths } from './program.ts'
import { print, startupOutput } from './startup-output.ts'
import { usage } from './usage.ts'
import { versionLines } from './version.ts'

/** httpd's command line. Code is loaded only when it is needed. @returns the exit status */
export async function httpd(argv: readonly string[]): Promise<number> {
  const request = parseOptions(argv)
  switch (request.kind) {
    case 'usage':
      if (request.complaint !== null) print(2, `${PROGRAM}: ${request.complaint}`)
      print(2, usage(PROGRAM).trimEnd())
      if (request.hint !== undefined) print(2, `hint: ${request.hint}`)
      return 1
    case 'version': {
      const { productBanner } = await import('@gatewright/core')
      print(1, versionLines(productBanner('full'), ENTRY).join('\n'))
      return 0
    }
    case 'compiled in':
      print(1, ['Compiled in modules:', ...COMPILED_IN_NAMES.map((name) => `  ${name}`)].join('\n'))
      return 0
    case 'run':
      return runWithHints(request.options)
  }
}

async function runWithHints(options: HttpdOptions): Promise<number> {
  const console = startupOutput(PROGRAM, options.startupLog)
  const status = await run(options, console)
  if (status !== 0) {
    const { failureHints } = await import('./failure-hints.ts')
    for (const hint of failureHints(options.configFile, startPaths(options).configFile, process.env)) console.err(`hint: ${hint}`)
  }
  return status
}

async function run(options: HttpdOptions, console: StartConsole): Promise<number> {
  const { defines, before, after, skipDocumentRootCheck } = options
  const paths = { ...startPaths(options), modulesFolder: MODULES_FOLDER, ownModules: OWN_MODULES, standardFiles: STANDARD_FILES }
  // These words become lines and names of the configuration, whose text is bytes.
  const lines = { defines: byteWords(defines), before: byteWords(before), after: byteWords(after) }
  const start = { program: PROGRAM, ...paths, ...lines, skipDocumentRootCheck }
  if (options.showSettings || options.listDirectives || options.checkOnly || wantedDumps(defines).length > 0) {
    const { inspect } = await import('./inspect.ts')
    return inspect(options, start, console)
  }
  if (options.verb !== null && options.verb !== 'start') {
    const { signalServer } = await import('./verbs.ts')
    const status = await signalServer(options.verb, options, start, console)
    if (status !== null) return status
  }
  const { startServer } = await import('./start.ts')
  return startServer(options, start, console)
}
