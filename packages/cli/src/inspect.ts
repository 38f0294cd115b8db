import {
  type BoundConfiguration,
  ConfigError,
  directiveEntries,
  FileSource,
  listDirectives,
  productBanner,
} from '@gatewright/core'
import { isShown, loadStart, reportLine, type StartOptions } from '@gatewright/mpm/reader'
import type { StartConsole } from '@gatewright/mpm/supervisor'
import { COMPILED_IN } from './compiled-in.ts'
import { wantedDumps } from './dump-defines.ts'
import { dumpLines } from './dumps.ts'
import { guardReading } from './guard-reading.ts'
import { checkHtaccessFiles } from './htaccess-files.ts'
import type { HttpdOptions } from './options.ts'
import { settingsLines } from './settings.ts'

/**
 * Executes the actions that neither start nor signal a server: -V, -L, -t and the dumps.
 * @returns the exit status
 */
export async function inspect(options: HttpdOptions, start: StartOptions, console: StartConsole): Promise<number> {
  const read = await readHere(options, start, console)
  const product = productBanner('full')
  if (options.showSettings) {
    // httpd reports them before it applies directives, so only a file that could not be read is a failure.
    const failed = read instanceof ConfigError && read.phase === 'read'
    if (failed) print(read.lines(start.program), console.err)
    print(settingsLines(product, failed ? 'without' : 'with process model'), console.out)
    return failed ? 1 : 0
  }
  if (read instanceof ConfigError) {
    print(read.lines(start.program), console.err)
    return 1
  }
  if (options.listDirectives) {
    if (options.listAsData) console.out(asciiOnly(JSON.stringify(directiveEntries(read), null, 2)))
    else print(listDirectives(read), console.out)
    return 0
  }
  try {
    await read.testConfig((line) => console.out(line))
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    print(error.lines(start.program), console.err)
    return 1
  }
  if (options.htaccess !== null && checkHtaccessFiles(read, options.htaccess, console) > 0) return 1
  if (wantedDumps(options.defines).length === 0) {
    const names = [...read.withoutEffect].map(([name, place]) => `${name} (${place})`)
    if (names.length > 0) console.err(`hint: accepted without effect here, see -L: ${names.join(', ')}`)
    for (const hint of read.hints()) console.err(`hint: ${hint}`)
    console.err('Syntax OK')
    if (options.lint !== null) {
      const { lintHere } = await import('./lint-here.ts')
      return lintHere(start, options.lint, console)
    }
  } else print(dumpLines(read, options.defines), console.out)
  return 0
}

/** The configuration, read in this process, with its warnings printed. */
export async function readHere(
  options: HttpdOptions,
  start: StartOptions,
  console: StartConsole,
): Promise<BoundConfiguration | ConfigError> {
  try {
    const read = () =>
      loadStart(start, {
        source: new FileSource(),
        compiledIn: COMPILED_IN,
        report: (report) => {
          if (isShown(report, options.startupLevel)) console.err(reportLine(report).trimEnd())
        },
        purpose: 'check',
      })
    return await guardReading(start.program, read, (line) => console.err(line))
  } catch (error) {
    if (error instanceof ConfigError) return error
    throw error
  }
}

function print(lines: readonly string[], to: (line: string) => void): void {
  if (lines.length > 0) to(lines.join('\n'))
}

/** The same JSON without characters that mean something to a terminal. */
function asciiOnly(json: string): string {
  return json.replace(/[\x7f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
