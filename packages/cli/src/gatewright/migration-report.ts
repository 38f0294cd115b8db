import { type Finding, findingLines, type Intent, type Migration, type Proof, type Remark } from '@gatewright/policy'
import type { Replay } from './oracle/replay.ts'
import { replayLines } from './oracle/replay-lines.ts'
import { heading, proofLines } from './proof-report.ts'
import type { PassedOver } from './tolerant-opening.ts'

export interface ReportInput {
  readonly migration: Migration
  /** Null if none was requested. */
  readonly proof: Proof | null
  /** Null if no oracle was used. */
  readonly replayed: Replay | null
  readonly intent: Intent
  /** The findings of lint in the old rules. */
  readonly findings: readonly Finding[]
  readonly unread: readonly string[]
  readonly passedOver: readonly PassedOver[]
  /** Files that do not exist and must not be mentioned. */
  readonly madeUp: ReadonlySet<string>
}

/** The changes and their proof, for people. */
export function migrationReport({
  migration,
  proof,
  replayed,
  intent,
  findings,
  unread,
  passedOver,
  madeUp,
}: ReportInput): string {
  const { files, left, remarks } = migration
  const known = (remark: Remark): boolean => !madeUp.has(remark.file)
  const place = ({ file, line, text }: Remark): string => `  ${file}:${line}: ${withoutMadeUp(text, madeUp)}`
  return [
    `${files.length} ${files.length === 1 ? 'file changes' : 'files change'}, read with --intent ${intent}.`,
    ...remarks.filter(known).map(place),
    ...heading(
      'What gatewright lint finds in the old rules:',
      findings.flatMap((finding) => findingLines(finding).map((text) => `  ${text}`)),
    ),
    ...heading('Left unchanged:', left.filter(known).map(place)),
    ...heading(
      'Not read:',
      unread.map((text) => `  ${text}`),
    ),
    ...heading(
      'Unknown to this server, left unchanged and not part of the proof:',
      passedOver.map(({ file, line, text }) => `  ${file}:${line}: ${text}`),
    ),
    ...(proof === null
      ? ['No proof was requested.']
      : proofLines(proof, HINTS[intent]).map((text) => withoutMadeUp(text, madeUp))),
    ...(replayed === null ? [] : replayLines(replayed)),
  ].join('\n')
}

/** Rules of the assumed server around a tree are in no file that a reader could open. */
function withoutMadeUp(text: string, madeUp: ReadonlySet<string>): string {
  let shown = text
  for (const path of madeUp) {
    const place = path.replace(/[^\w/]/g, '\\$&')
    shown = shown.replace(new RegExp(`(?:<[^<>]*> )?\\(?${place}:\\d+\\)?`, 'g'), AROUND)
  }
  return shown
}

const AROUND = "the server's rule for .htaccess files and their kin"

/** How to resolve a difference. */
const HINTS: Readonly<Record<Intent, string>> = {
  documented: '--intent exact keeps what httpd does with the old rules',
  exact: 'this is a defect of gatewright: please report it with the configuration',
}
