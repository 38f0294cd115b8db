import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { placeFile } from '../place.ts'
import { type ConfigureReport, configure } from './configure.ts'
import { ConfigureError } from './configure-error.ts'
import { formatNiceFile } from './nice-text.ts'
import { type CommandOptions, parseOptions, USAGE } from './options.ts'
import { readNiceFile } from './read-nice-file.ts'
import { reportLines } from './report-text.ts'

/** Names of what configure writes. */
export const NICE_FILE = 'config.nice'
export const STATUS_FILE = 'config.status.json'

/** The program's environment. */
export interface ConfigureSurroundings {
  /** The source tree. */
  readonly source: string
  readonly environment: Readonly<Record<string, string | undefined>>
  out(line: string): void
  err(line: string): void
}

/** `build/configure`. @returns the exit status */
export function runConfigure(argv: readonly string[], around: ConfigureSurroundings): number {
  try {
    const options = parseOptions(argv)
    if (options.help) {
      around.out(USAGE)
      return 0
    }
    perform(options, around)
    return 0
  } catch (error) {
    const known = error instanceof ConfigureError ? error : systemError(error)
    for (const line of known.lines('configure')) around.err(line)
    return 1
  }
}

function perform(options: CommandOptions, { source, environment, out }: ConfigureSurroundings): void {
  const folder = resolve(options.buildFolder ?? join(source, 'build'))
  const { nice, status, report } = configure({
    words: options.words,
    recorded:
      options.from === null
        ? undefined
        : { nice: readNiceFile(readFileSync(options.from, 'utf8'), options.from), line: options.line },
    environment,
    available: availableModules(source),
    program: join(source, 'build/configure'),
    readFile: (path) => readFileSync(path, 'utf8'),
  })
  const recorded = options.buildFolder === null ? nice : { ...nice, words: [...nice.words, `--build-dir=${folder}`] }
  mkdirSync(folder, { recursive: true })
  placeExecutable(join(folder, NICE_FILE), formatNiceFile(recorded))
  placeFile(Buffer.from(`${JSON.stringify(status, null, 2)}\n`), join(folder, STATUS_FILE))
  if (options.json) out(JSON.stringify({ ...report, niceFile: join(folder, NICE_FILE) }, null, 2))
  else tell(report, join(folder, NICE_FILE), out)
}

function tell(report: ConfigureReport, niceFile: string, out: (line: string) => void): void {
  for (const line of reportLines(report)) out(line)
  out('')
  out(`recorded in ${niceFile}; next: build/install`)
}

/** Modules in the source tree, without `mod_`. */
export function availableModules(source: string): string[] {
  return readdirSync(join(source, 'modules'))
    .filter((name) => name.startsWith('mod_') && existsSync(join(source, 'modules', name, 'src/index.ts')))
    .map((name) => name.slice('mod_'.length))
}

function placeExecutable(file: string, text: string): void {
  placeFile(Buffer.from(text), file)
  chmodSync(file, 0o755)
}

function systemError(error: unknown): ConfigureError {
  if (!(error instanceof Error && 'code' in error)) throw error
  return new ConfigureError(error.message, 'check that the file exists, and that this user has read and write permission')
}
