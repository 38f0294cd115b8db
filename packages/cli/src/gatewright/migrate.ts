import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isatty } from 'node:tty'
import type { Problem } from '@gatewright/api'
import { ConfigError } from '@gatewright/core'
import {
  type Claim,
  ClaimSample,
  type Migration,
  migrate,
  migrateTree,
  type PolicyServer,
  type Proof,
  prove,
  type TreeMigration,
  unifiedDiff,
  type Variant,
} from '@gatewright/policy'
import { problemLines } from '../problem-lines.ts'
import { ProgressLine } from '../progress-line.ts'
import { NotWritten, replaceTogether } from '../replace-together.ts'
import { print } from '../startup-output.ts'
import { keptCopy } from './kept-copy.ts'
import { lintOldRules } from './lint-old-rules.ts'
import { CLOSED_NAMES, type FilesToMigrate, filesToMigrate } from './migrate-files.ts'
import { MIGRATE_USAGE, type MigrateRequest, parseMigrateOptions } from './migrate-options.ts'
import { migrationReport, type ReportInput } from './migration-report.ts'
import { openVariant } from './open-variant.ts'
import { findHttpd } from './oracle/httpd-program.ts'
import { OracleError } from './oracle/oracle-error.ts'
import { replay } from './oracle/replay.ts'
import { type PassedOver, TolerantOpening } from './tolerant-opening.ts'
import { printUsage } from './words.ts'
import { placeBelow } from './write-below.ts'

/** `gatewright migrate`. @returns the exit status */
export async function runMigrate(argv: readonly string[]): Promise<number> {
  const request = parseMigrateOptions(argv)
  if (request === 'help' || 'complaint' in request) return printUsage('migrate', request, MIGRATE_USAGE)
  const folder = mkdtempSync(join(tmpdir(), 'gatewright-migrate-'))
  try {
    return await migrateAndProve(request, join(folder, 'hosts'))
  } catch (error) {
    if (error instanceof ConfigError) print(2, error.lines('gatewright migrate').join('\n'))
    else if (error instanceof OracleError || error instanceof NotWritten) complain(error)
    else if (error instanceof Error && 'code' in error) complain({ message: error.message })
    else throw error
    print(2, 'gatewright migrate: nothing was written')
    return 2
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function migrateAndProve(request: MigrateRequest, hostsFile: string): Promise<number> {
  // Before the long computation: checks that the oracle is available.
  const program = request.oracle === null ? null : findHttpd(request.oracle.program, request.oracle.modulesFolder)
  const opening = new TolerantOpening()
  const progress = new ProgressLine(isatty(2) ? 'shown' : 'hidden')
  const files = await filesToMigrate({ ...request, closedFiles: CLOSED_NAMES }, opening, (text) => progress.show(text))
  const open = (variant: Variant): Promise<PolicyServer> =>
    opening.open(variant.texts, (texts) => openVariant(files, request.defines, { ...variant, texts }, hostsFile))
  const findings = await lintOldRules(files, open)
  const made = await migrated(files, request, open)
  const migration = { ...made, files: made.files.filter(({ path }) => !files.madeUp.has(path)) }
  const { before, after, chains } = migration
  // A configuration that does not load must not be written, even without a proof.
  await (await open(after)).close()
  const claims = new ClaimSample(request.oracle?.sample ?? 0)
  let decided = 0
  const observe = (claim: Claim): void => {
    claims.add(claim)
    progress.show(`proof: ${++decided} requests decided`)
  }
  const proof =
    request.limit === 0
      ? null
      : made.named(await prove({ before, after, chains, limit: request.limit, foreign: files.madeUp, observe, open }))
  progress.clear()
  const difference = proof?.difference ?? proof?.closed ?? null
  const beside = claims.claims.filter(isEqual)
  const replayed =
    program === null ? null : await replay({ program, before, after, counterExample: difference, claims: beside, open })
  const input: ReportInput = {
    migration,
    proof,
    replayed,
    intent: request.intent,
    findings,
    unread: files.unread,
    passedOver: opening.passedOver.map((one) => ({ ...one, line: lineOf(files.texts.get(one.file) ?? '', one) })),
    madeUp: files.madeUp,
  }
  if (replayed !== null && replayed.contradictions.length > 0) {
    print(2, migrationReport(input))
    print(2, 'gatewright migrate: nothing was written')
    return 3
  }
  const errors = findings.filter(({ severity }) => severity === 'error').length
  const isDoubtful = !request.acceptsErrors && (errors > 0 || migration.opened.length > 0 || (proof?.closed ?? null) !== null)
  const { kind } = request.output
  if (!request.acceptsErrors && errors > 0 && (kind === 'in place' || kind === 'folder')) {
    print(1, migrationReport(input))
    complain({
      message: `nothing was written: the old rules have ${errors === 1 ? 'an error' : `${errors} errors`}`,
      hint: ACCEPT,
    })
    return 1
  }
  await write(request, migration, input)
  if (isDoubtful) complain({ message: 'this requires your decision', hint: ACCEPT })
  return (proof?.difference ?? null) === null && !isDoubtful ? 0 : 1
}

const ACCEPT = 'correct the listed lines, or accept their present effect with --accept-errors'

function complain({ message, hint }: Pick<Problem, 'message' | 'hint'>): void {
  print(2, problemLines({ message: `gatewright migrate: ${message}`, hint }).join('\n'))
}

/** A tree is migrated by the kinds of its files, a configuration as a whole. */
async function migrated(
  { texts, accessFolders, madeUp, unreadFolders }: FilesToMigrate,
  { intent, guards }: MigrateRequest,
  open: (variant: Variant) => Promise<PolicyServer>,
): Promise<Migration & Pick<TreeMigration, 'named'>> {
  if (unreadFolders === null)
    return { ...(await migrate({ texts, accessFolders, intent, guards, open })), named: (proof) => proof }
  const serverTexts = new Map([...texts].filter(([path]) => madeUp.has(path)))
  const accessTexts = new Map([...texts].filter(([path]) => !madeUp.has(path)))
  return migrateTree({ serverTexts, accessTexts, apart: unreadFolders, intent, guards, open })
}

function isEqual({ before, after }: Claim): boolean {
  return before.status === after.status && (before.challenge === '') === (after.challenge === '')
}

/** The line in the original file: the opened text may have more or fewer lines. */
function lineOf(text: string, { text: wanted, line }: PassedOver): number {
  const [first] = wanted.split('\n')
  const index = text.split('\n').findIndex((one) => one.trim() === first)
  return index < 0 ? line : index + 1
}

async function write({ output }: MigrateRequest, migration: Migration, input: ReportInput): Promise<void> {
  const report = migrationReport(input)
  const { files } = migration
  switch (output.kind) {
    case 'json':
      return print(1, json(migration, input))
    case 'diff':
      for (const { path, before, after } of files)
        process.stdout.write(unifiedDiff({ name: path, text: before }, { name: path, text: after }), 'latin1')
      return print(2, report)
    case 'folder':
      await replaceTogether(files.map(({ path, after }) => ({ path: placeBelow(output.folder, path), content: after })))
      return print(1, report)
    case 'in place': {
      const keptAs = keptCopy(migration.before.texts)
      // The copy of the first run is the old file; a second run must not replace it.
      await replaceTogether(files.map(({ path, before, after }) => ({ path, content: after, old: before, keptAs: keptAs(path) })))
      return print(1, report)
    }
  }
}

function json(
  { files, left, opened, remarks }: Migration,
  { proof, replayed, intent, findings, unread, passedOver }: ReportInput,
): string {
  const oracle = replayed === null ? null : { ...replayed, skipped: Object.fromEntries(replayed.skipped) }
  const data = { intent, findings, files, left, opened, remarks, unread, passedOver, proof: proof satisfies Proof | null, oracle }
  return JSON.stringify(data, null, 2)
}
