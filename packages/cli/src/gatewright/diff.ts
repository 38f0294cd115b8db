import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigError } from '@gatewright/core'
import {
  type ChangedDecision,
  changedDecisions,
  changedDecisionsMarkdown,
  changedDecisionsText,
  type Difference,
  proveAlike,
} from '@gatewright/policy'
import { print } from '../startup-output.ts'
import { outputPalette } from './output-palette.ts'
import { inPlaceOf, sideOf } from './prove.ts'
import { parseProveOptions } from './prove-options.ts'
import { printUsage } from './words.ts'

const FORMATS = ['text', 'json', 'markdown'] as const
type Format = (typeof FORMATS)[number]

/** `gatewright diff`. @returns the exit status */
export async function runDiff(argv: readonly string[]): Promise<number> {
  const { rest, format } = takeFormat(argv)
  const request = parseProveOptions(rest)
  if (request === 'help' || 'complaint' in request) return printUsage('diff', request, DIFF_USAGE)
  const wanted = FORMATS.find((one) => one === (format ?? request.output))
  if (wanted === undefined)
    return printUsage('diff', { complaint: `--format takes ${FORMATS.join(', ')}, not ${format ?? ''}` }, DIFF_USAGE)
  const folder = mkdtempSync(join(tmpdir(), 'gatewright-diff-'))
  try {
    const before = await sideOf(request.before, join(folder, 'hosts'))
    const after = await sideOf(request.after, join(folder, 'hosts'))
    if ((before.rules === null) !== (after.rules === null)) {
      print(2, 'gatewright diff: name two configurations, or two folders with .htaccess files')
      return 2
    }
    const moved = inPlaceOf(before, after)
    const differences: Difference[] = []
    const proof = await proveAlike(before, moved.side, request.limit, (difference) => {
      if (differences.length < MOST_DIFFERENCES) differences.push(difference)
    })
    const changes = changedDecisions(differences).map((change) => withNames(change, moved.name))
    const more = differences.length === MOST_DIFFERENCES
    print(1, output(wanted, changes, { classes: proof.classes, sampled: proof.sampled, isComplete: !more }))
    for (const note of [...before.notes(), ...after.notes().map(moved.name)]) print(2, `ignored: ${note}`)
    if (wanted === 'text' && proof.sampled.length > 0) print(2, `tested with some values only: ${proof.sampled.join('; ')}`)
    if (more) print(2, `only the first ${MOST_DIFFERENCES} differences were examined`)
    if (proof.classes === 0) return 2
    return changes.length === 0 && proof.difference === null ? 0 : 1
  } catch (error) {
    if (error instanceof ConfigError) print(2, error.lines('gatewright diff').join('\n'))
    else if (error instanceof Error && 'code' in error) print(2, `gatewright diff: ${error.message}`)
    else throw error
    return 2
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Each is explained by asking both configurations again. */
const MOST_DIFFERENCES = 2_000

function output(
  format: Format,
  changes: readonly ChangedDecision[],
  facts: { readonly classes: number; readonly sampled: readonly string[]; readonly isComplete: boolean },
): string {
  if (format === 'json') return JSON.stringify({ ...facts, changes }, null, 2)
  if (format === 'markdown') return changedDecisionsMarkdown(changes)
  if (changes.length === 0) return `No decision changes: ${facts.classes} classes of requests are decided as before.`
  return changedDecisionsText(changes, outputPalette('auto'))
}

/** Rules of a tree that was compared at the other one's path have their own names again. */
function withNames(change: ChangedDecision, name: (text: string) => string): ChangedDecision {
  const { after } = change
  return { ...change, after: { ...after, why: name(after.why), rules: after.rules.map(name) } }
}

function takeFormat(argv: readonly string[]): { readonly rest: readonly string[]; readonly format: string | undefined } {
  const at = argv.findIndex((word) => word === '--format' || word.startsWith('--format='))
  if (at < 0) return { rest: argv, format: undefined }
  const isSeparate = argv[at] === '--format'
  const format = isSeparate ? (argv[at + 1] ?? '') : argv[at].slice('--format='.length)
  return { rest: argv.filter((_, index) => index !== at && !(isSeparate && index === at + 1)), format }
}

const DIFF_USAGE = `Usage: gatewright diff [OPTION]... OLD NEW

Shows which decisions about access a change of a configuration changes, and for whom, gravest first: what is now open, what is now an error, what is now
refused. OLD and NEW are configuration files with their includes and .htaccess files, or folders with .htaccess files. The server's own code decides a
request of each kind that the rules of either side distinguish.

  -d, --root DIR           ServerRoot of both (default: as configured, else the parent of the folder of the configuration)
  -D, --define NAME        as httpd -D
      --allow-override W   directives allowed in the .htaccess files of a folder
      --limit N            maximum number of requests to decide
      --format FORMAT      text (default), json, or markdown for a comment of a review; --json is --format json

The exit status is 0 if no decision changes, 1 if one does, 2 if a configuration cannot be read.`
