import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { ConfigError, loadConfiguration, RecordingSource } from '@gatewright/core'
import { type ConfigData, fileData, fileText, readConfigData } from '@gatewright/policy'
import { replaceFile } from '../replace-file.ts'
import { print } from '../startup-output.ts'
import { CONFIG_USAGE, type ConfigRequest, parseConfigOptions } from './config-options.ts'
import { configurationAt, ToolSource } from './configuration-at.ts'
import { INSTALLATION } from './installation.ts'
import { printUsage } from './words.ts'
import { writeBelow } from './write-below.ts'

/** `gatewright config`. @returns the exit status */
export async function runConfig(argv: readonly string[]): Promise<number> {
  const request = parseConfigOptions(argv)
  if (request === 'help' || 'complaint' in request) return printUsage('config', request, CONFIG_USAGE)
  try {
    return request.kind === 'json' ? await printData(request) : writeText(request)
  } catch (error) {
    if (error instanceof ConfigError) print(2, error.lines('gatewright config').join('\n'))
    else if (error instanceof Error && 'code' in error) print(2, `gatewright config: ${error.message}`)
    else throw error
    return 1
  }
}

async function printData(request: Extract<ConfigRequest, { kind: 'json' }>): Promise<number> {
  const texts = request.files.length > 0 ? readFiles(request.files) : await readConfiguration(request)
  if (typeof texts === 'string') {
    print(2, texts)
    return 1
  }
  const data: ConfigData = { files: Object.entries(texts).map(([path, text]) => fileData(path, text)) }
  print(1, Buffer.from(JSON.stringify(data, null, 2)).toString('latin1'))
  return 0
}

function readFiles(files: readonly string[]): Record<string, string> {
  return Object.fromEntries(files.map((file) => [resolve(file), readFileSync(file, 'latin1')]))
}

/**
 * Every file that is read when the server starts, up to the first error; error lines if not even the first
 * can be read.
 */
async function readConfiguration({
  serverRoot,
  configFile,
  defines,
}: Extract<ConfigRequest, { kind: 'json' }>): Promise<Record<string, string> | string> {
  const found = configurationAt(configFile, serverRoot)
  const source = new RecordingSource(new ToolSource())
  try {
    await loadConfiguration({
      ...INSTALLATION,
      ...found,
      defines,
      before: [],
      after: [],
      source,
      skipDocumentRootCheck: true,
      checkOnly: true,
    })
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const lines = error.lines('gatewright').join('\n')
    if (Object.keys(source.record.texts).length === 0) return lines
    print(2, `${lines}\ngatewright config: files after that line are missing from the data`)
  }
  return source.record.texts
}

function writeText({ input, output, inPlace }: Extract<ConfigRequest, { kind: 'text' }>): number {
  const data = readConfigData(readFileSync(input ?? 0, 'utf8'))
  if (typeof data === 'string') {
    print(2, `gatewright config: ${input ?? 'standard input'}: ${data}`)
    return 1
  }
  if (inPlace) {
    for (const file of data.files) replaceKeepingOld(file.path, fileText(file))
    return 0
  }
  if (output !== null) {
    for (const file of data.files) writeBelow(output, file.path, fileText(file))
    return 0
  }
  const [file, ...others] = data.files
  if (file === undefined || others.length > 0) {
    print(2, `gatewright config: the data contains ${data.files.length} files: add --output DIR or --in-place`)
    return 2
  }
  process.stdout.write(fileText(file), 'latin1')
  return 0
}

/** The copy has the file's mode, so that no one gains access to its content. */
function replaceKeepingOld(path: string, text: string): void {
  if (existsSync(path)) {
    if (readFileSync(path, 'latin1') === text) return
    copyFileSync(path, `${path}~`)
  }
  replaceFile(path, text)
}
