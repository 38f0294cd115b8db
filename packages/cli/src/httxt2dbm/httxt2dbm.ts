import { readFileSync } from 'node:fs'
import { DbmError, type DbmWriter, openDbmWriter, systemErrorOf } from '@gatewright/dbm'
import { Refusal } from '../password/refusal.ts'
import type { ToolConsole } from '../tool-console.ts'
import { type Httxt2dbmOptions, parseHttxt2dbmOptions } from './options.ts'
import { textRecords } from './text-records.ts'
import { HTTXT2DBM_USAGE } from './usage.ts'

/**
 * httxt2dbm's command line. Either all records of the text are stored or none.
 * @param argv bytes, one character each
 * @returns the exit status
 */
export function httxt2dbm(argv: readonly string[], console: ToolConsole): number {
  const options = parseHttxt2dbmOptions(argv)
  if (typeof options === 'string') {
    console.err(options + HTTXT2DBM_USAGE)
    return 1
  }
  const failure = convert(options, console)
  if (failure === null) return 0
  console.err(failure.output)
  return failure.status
}

function convert({ verbose, format, input, output }: Httxt2dbmOptions, console: ToolConsole): Refusal | null {
  const print = verbose ? console.err : () => undefined
  print(`DBM Format: ${format}\n`)
  const text = attempt(`Cannot open input file '${input}'`, () => readText(input, console))
  if (text instanceof Refusal) return text
  print(`Input File: ${input}\n`)
  const opened = attempt(`Cannot open output DBM '${output}'`, () => openDbmWriter(output, format, 'create'))
  if (opened instanceof Refusal) return opened
  const writer = opened.value
  try {
    print(`DBM File: ${output}\n`)
    const stored = attempt('Converting to DBM', () => storeAll(writer, text.value, print))
    if (stored instanceof Refusal) return stored
  } finally {
    writer.abandon()
  }
  print('Conversion Complete.\n')
  return null
}

function storeAll(writer: DbmWriter, text: Buffer, print: (text: string) => void): void {
  for (const { key, value } of textRecords(text)) {
    print(`    '${key.toString('latin1')}' -> '${value.toString('latin1')}'\n`)
    writer.replace(key, value)
  }
  writer.close()
}

const INPUT_CHUNK = 64 * 1024

function readText(input: string, console: ToolConsole): Buffer {
  if (input !== '-') return readFileSync(Buffer.from(input, 'latin1'))
  const chunks: Buffer[] = []
  do chunks.push(console.readInput(INPUT_CHUNK))
  while (chunks[chunks.length - 1].length === INPUT_CHUNK)
  return Buffer.concat(chunks)
}

function attempt<T>(what: string, act: () => T): { readonly value: T } | Refusal {
  try {
    return { value: act() }
  } catch (error) {
    const { code, text, message } = error instanceof DbmError ? error : systemErrorOf(error)
    return new Refusal(`Error: ${what}: (${code}) ${text}\n\n`, 1, message)
  }
}
