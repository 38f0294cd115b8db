import { writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { inputLines } from '../input-lines.ts'
import type { ToolConsole } from '../tool-console.ts'
import { type Figures, type FoundName, HostNames, type Resolver, systemResolver } from './host-names.ts'
import { type LogresolveOptions, parseLogresolveOptions } from './options.ts'

/** Lines whose names are looked up at the same time. */
const AT_ONCE = 64

/**
 * logresolve's command line: copies a log, with names instead of the addresses at the beginning of its lines.
 * @param argv bytes, one character each
 * @returns the exit status
 */
export async function logresolve(
  argv: readonly string[],
  console: ToolConsole,
  resolverFor: (looksUpTwice: boolean) => Resolver = systemResolver,
): Promise<number> {
  const options = parseLogresolveOptions(argv)
  if (typeof options === 'string') {
    console.err(options)
    return 1
  }
  const figures: Figures = { entries: 0, names: 0, resolves: 0, noReverse: 0, doubleFailed: 0, cacheHits: 0, cacheSize: 0 }
  const names = new HostNames(resolverFor(options.looksUpTwice), figures)
  const waiting: PendingLine[] = []
  const writeOne = async (): Promise<void> => {
    const first = waiting.shift()
    if (first !== undefined) console.out(await textOf(first))
  }
  for (const line of inputLines(console)) {
    waiting.push(begin(line, names, figures))
    if (waiting.length >= AT_ONCE) await writeOne()
  }
  while (waiting.length > 0) await writeOne()
  return writeStatistics(options, figures, console)
}

interface PendingLine {
  readonly line: string
  readonly address: string
  /** Null for a line that stays as it is. */
  readonly found: Promise<FoundName> | null
}

function begin(line: string, names: HostNames, figures: Figures): PendingLine {
  figures.entries++
  const blank = line.indexOf(' ')
  const address = blank < 0 ? '' : line.slice(0, blank)
  if (isIP(address) !== 0) return { line, address, found: names.find(address) }
  figures.names++
  return { line, address, found: null }
}

async function textOf({ line, address, found }: PendingLine): Promise<string> {
  const result = found === null ? null : await found
  return result === null || typeof result === 'string' ? line : result.name + line.slice(address.length)
}

function writeStatistics({ statistics, looksUpTwice }: LogresolveOptions, figures: Figures, console: ToolConsole): number {
  if (statistics === null) return 0
  const { entries, names, resolves, noReverse, doubleFailed, cacheHits, cacheSize } = figures
  const lines = [
    'logresolve Statistics:',
    `Entries: ${entries}`,
    `    With name   : ${names}`,
    `    Resolves    : ${resolves}`,
    ...(noReverse > 0 ? [`    - No reverse : ${noReverse}`] : []),
    ...(looksUpTwice && doubleFailed > 0 ? [`    - Double lookup failed : ${doubleFailed}`] : []),
    `Cache hits      : ${cacheHits}`,
    `Cache size      : ${cacheSize}`,
  ]
  try {
    writeFileSync(Buffer.from(statistics, 'latin1'), `${lines.join('\n')}\n`)
    return 0
  } catch {
    console.err(`logresolve: Could not open ${statistics} for writing.\n`)
    return 1
  }
}
