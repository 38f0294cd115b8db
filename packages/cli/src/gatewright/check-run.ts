import { ConfigError } from '@gatewright/core'
import {
  byteJson,
  type CheckReport,
  type CheckResult,
  check,
  couldNotCheck,
  fileResults,
  lint,
  lintResults,
  type Matrix,
  matrix,
  matrixText,
  type PolicyServer,
  readExpectations,
  snapshotText,
} from '@gatewright/policy'
import { problemLines } from '../problem-lines.ts'
import { type ExpectationsText, findExpectations } from './check-expectations.ts'
import type { CheckRequest } from './check-options.ts'
import { formatOf, paletteOf, reportOutput } from './check-output.ts'
import { type CheckSubject, openSubject } from './check-subject.ts'

/** The result of a run. */
export interface CheckRun {
  readonly status: 0 | 1 | 2
  /** What was requested; '' for nothing. */
  readonly text: string
  /** Lines for standard error. */
  readonly complaints: readonly string[]
}

/** Checks once, starting with reading the files. */
export async function runOnce(request: CheckRequest): Promise<CheckRun> {
  const started = performance.now()
  try {
    const expectations = request.wanted === 'results' ? findExpectations(request.expectations, treeOf(request)) : null
    const subject = await openSubject(request)
    if ('message' in subject) return failed(request, ...problemLines(subject))
    try {
      return expectations === null
        ? await withoutExpectations(request, subject)
        : await withExpectations(request, subject, expectations, started)
    } finally {
      await subject.server.close()
    }
  } catch (error) {
    if (error instanceof ConfigError) return failed(request, ...error.lines('gatewright check'))
    if (error instanceof Error && 'code' in error) return failed(request, error.message)
    throw error
  }
}

async function withExpectations(
  request: CheckRequest,
  subject: CheckSubject,
  { name, text }: ExpectationsText,
  started: number,
): Promise<CheckRun> {
  const { expectations, mistakes } = readExpectations(name, text)
  if (mistakes.length > 0)
    return failed(
      request,
      ...mistakes.flatMap(({ place, message, hint }) =>
        problemLines({ message: `${place.file}:${place.line}: ${message}`, hint }),
      ),
    )
  if (expectations.length === 0)
    return failed(
      request,
      ...problemLines({
        message: `${name} contains no expectations`,
        hint: '--write-expectations prints expectations to start from',
      }),
    )
  const { server, folder, again } = subject
  let twin: Promise<PolicyServer> | undefined
  const explained = request.explained ? { asHttpd: () => (twin ??= again(AS_HTTPD)) } : null
  const results = [...(await furtherResults(request, subject)), ...(await check(server, expectations, { folder, explained }))]
  await (await twin)?.close()
  const report: CheckReport = { subject: subjectName(request), folder, results, milliseconds: performance.now() - started }
  return { status: statusOf(results), text: reportOutput(report, request), complaints: [] }
}

/** The answers for each client, and the errors in the tree's files. */
async function withoutExpectations(request: CheckRequest, subject: CheckSubject): Promise<CheckRun> {
  const { format, wanted } = request
  if (wanted === 'results' && (format === 'tap' || format === 'junit'))
    return failed(
      request,
      ...problemLines({
        message: `no expectations for ${subjectName(request)}`,
        hint: 'write expectations to .htexpect there (--write-expectations prints some), or name a file with --expect',
      }),
    )
  const made = await matrix(subject.server, { folder: subject.documentRoot, texts: subject.texts })
  const results = await furtherResults(request, subject)
  const wrong = results.filter(({ passed }) => !passed)
  const status = statusOf(results)
  if (wanted === 'snapshot') return { status, text: snapshotText(made), complaints: wrong.map(complaintOf) }
  return {
    status,
    text: matrixOutput(request, subject, made, results),
    complaints: format === 'json' ? [] : wrong.map(complaintOf),
  }
}

function matrixOutput(request: CheckRequest, { folder }: CheckSubject, made: Matrix, files: readonly CheckResult[]): string {
  return formatOf(request) === 'json' ? `${byteJson({ ...made, files })}\n` : matrixText(made, paletteOf(request), folder)
}

function complaintOf({ title, place, actual, reason }: CheckResult): string {
  const where = place === null ? title : `${place.file}:${place.line}`
  return `${where}: ${actual}${reason === '' ? '' : `\n${reason}`}`
}

/** Requests that no expectation covers. */
async function furtherResults(
  { linted }: CheckRequest,
  { server, accessFolders, folder, madeUp }: CheckSubject,
): Promise<CheckResult[]> {
  const files = accessFolders.flatMap((one) => fileResults(server, one))
  return linted ? [...files, ...lintResults(await lint(server, { madeUp }), folder)] : files
}

function statusOf(results: readonly CheckResult[]): 0 | 1 {
  return results.every(({ passed }) => passed) ? 0 : 1
}

function failed(request: CheckRequest, ...lines: readonly string[]): CheckRun {
  const text = request.wanted === 'results' ? couldNotCheck(formatOf(request), subjectName(request), lines) : ''
  return { status: 2, text, complaints: lines.map((line, index) => (index === 0 ? `gatewright check: ${line}` : line)) }
}

function subjectName({ subject }: CheckRequest): string {
  return subject.kind === 'tree' ? subject.folder : (subject.configFile ?? subject.serverRoot ?? 'the installed configuration')
}

function treeOf({ subject }: CheckRequest): string | null {
  return subject.kind === 'tree' ? subject.folder : null
}

/** Without mod_access_compat, precedence has no meaning. */
const AS_HTTPD = ['<IfModule mod_access_compat.c>', 'AccessCompatPrecedence httpd', '</IfModule>']
