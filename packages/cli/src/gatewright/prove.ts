import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ConfigError } from '@gatewright/core'
import { ConfigFiles, originalLine, type Proof, proveAlike, type Side, upgrade } from '@gatewright/policy'
import { print } from '../startup-output.ts'
import { type FilesRequest, filesToMigrate } from './migrate-files.ts'
import { openVariant } from './open-variant.ts'
import { heading, proofLines } from './proof-report.ts'
import { PROVE_USAGE, type ProveRequest, parseProveOptions } from './prove-options.ts'
import { TolerantOpening } from './tolerant-opening.ts'
import { printUsage } from './words.ts'

/** `gatewright prove`. @returns the exit status */
export async function runProve(argv: readonly string[]): Promise<number> {
  const request = parseProveOptions(argv)
  if (request === 'help' || 'complaint' in request) return printUsage('prove', request, PROVE_USAGE)
  const folder = mkdtempSync(join(tmpdir(), 'gatewright-prove-'))
  try {
    return await compare(request, join(folder, 'hosts'))
  } catch (error) {
    if (error instanceof ConfigError) print(2, error.lines('gatewright prove').join('\n'))
    else if (error instanceof Error && 'code' in error) print(2, `gatewright prove: ${error.message}`)
    else throw error
    return 2
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function compare(request: ProveRequest, hostsFile: string): Promise<number> {
  const before = await sideOf(request.before, hostsFile)
  const after = await sideOf(request.after, hostsFile)
  if ((before.rules === null) !== (after.rules === null)) {
    print(
      2,
      'gatewright prove: a configuration and a folder of .htaccess files cannot be compared: name two configurations or two folders',
    )
    return 2
  }
  const moved = inPlaceOf(before, after)
  const found = await proveAlike(before, moved.side, request.limit)
  const proof = withNames(found, moved.name)
  const notes = { before: before.notes(), after: after.notes().map(moved.name) }
  print(1, request.output === 'json' ? JSON.stringify({ ...notes, proof }, null, 2) : text(request, notes, proof))
  if (proof.classes === 0) return 2
  return proof.difference === null ? 0 : 1
}

/** The proof with the real names of the new files. */
function withNames(proof: Proof, name: (text: string) => string): Proof {
  const { difference } = proof
  if (difference === null) return proof
  const { after } = difference
  return { ...proof, difference: { ...difference, after: { ...after, why: name(after.why), rules: after.rules.map(name) } } }
}

function text(
  { before, after }: ProveRequest,
  notes: { readonly before: readonly string[]; readonly after: readonly string[] },
  proof: Proof,
): string {
  const listed = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`)
  return [
    ...heading(`Ignored by the comparison in ${before.path}:`, listed(notes.before)),
    ...heading(`Ignored by the comparison in ${after.path}:`, listed(notes.after)),
    ...proofLines(
      proof,
      `"before" is ${before.path}, "after" is ${after.path}; run gatewright explain for details of a decision`,
    ),
  ].join('\n')
}

/** A configuration with remarks about how it was read. */
export interface ReadSide extends Side {
  /** The file of an assumed server around a folder of .htaccess files; null if a configuration was named. */
  readonly rules: string | null
  notes(): string[]
}

export async function sideOf(request: FilesRequest, hostsFile: string): Promise<ReadSide> {
  const opening = new TolerantOpening()
  const files = await filesToMigrate(request, opening)
  const { texts, remarks } = upgrade(new ConfigFiles(files.texts))
  return {
    texts,
    accessFolders: files.accessFolders,
    open: (variant) =>
      opening.open(variant.texts, (readable) => openVariant(files, request.defines, { ...variant, texts: readable }, hostsFile)),
    rules: files.madeUp.has(files.configFile) ? files.configFile : null,
    notes: () => [
      ...files.unread.map((line) => `not read: ${line}`),
      ...remarks.map(({ file, line, text: remark }) => `${file}:${line}: ${remark}`),
      ...opening.passedOver.map(
        ({ file, line, text: passed }) =>
          `${file}:${originalLine(files.texts.get(file) ?? '', texts.get(file) ?? '', line).line}: unknown to this server: ${passed}`,
      ),
    ],
  }
}

/**
 * A tree is compared at the path of the other one, because the same requests must lead to both.
 * @returns also how to name its files in messages
 */
export function inPlaceOf(
  { rules, texts: oldTexts, open }: ReadSide,
  side: ReadSide,
): { readonly side: Side; name(text: string): string } {
  if (rules === null || side.rules === null) return { side, name: (message) => message }
  const [place, tree] = [dirname(rules), dirname(side.rules)]
  const moved = (path: string): string => place + path.slice(tree.length)
  // A file that exists only in the other tree has no content in this one, even if it exists on the disk.
  const without = [...oldTexts.keys()].map((path): [string, string] => [path, ''])
  const texts = new Map([...without, ...[...side.texts].map(([path, content]): [string, string] => [moved(path), content])])
  // The rules around a tree contain its path.
  texts.set(rules, oldTexts.get(rules) ?? '')
  return {
    side: { texts, accessFolders: side.accessFolders.map(moved), open },
    name: (message) => message.replaceAll(`${place}/`, `${tree}/`),
  }
}
