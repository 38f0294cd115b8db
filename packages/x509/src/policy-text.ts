import type { DerReader } from './der-reader.ts'
import { IA5_STRING, SEQUENCE } from './der-tags.ts'
import { readInteger, readOid } from './der-values.ts'
import { objectName } from './object-names.ts'
import { serialDecimal, serialHex } from './serial.ts'

const CPS = '1.3.6.1.5.5.7.2.1'
const USER_NOTICE = '1.3.6.1.5.5.7.2.2'

/** Reads certificatePolicies (RFC 5280, section 4.2.1.4). @returns its lines as OpenSSL prints them @throws MalformedError */
export function readPolicyLines(reader: DerReader): string[] {
  const lines: string[] = []
  for (const policies = reader.enter(SEQUENCE); policies.more; ) {
    const policy = policies.enter(SEQUENCE)
    const oid = readOid(policy)
    lines.push(`Policy: ${objectName(oid)?.long ?? oid}`)
    const qualifiers = policy.optional(SEQUENCE)
    policy.finish()
    if (qualifiers === undefined) continue
    for (const list = policy.inside(qualifiers); list.more; ) lines.push(...readQualifier(list.enter(SEQUENCE)))
  }
  return lines
}

function readQualifier(reader: DerReader): string[] {
  const oid = readOid(reader)
  if (oid === CPS) return [`  CPS: ${text(reader, IA5_STRING)}`]
  if (oid === USER_NOTICE) return ['  User Notice:', ...readNotice(reader.enter(SEQUENCE))]
  return [`  Unknown Qualifier: ${objectName(oid)?.long ?? oid}`]
}

function readNotice(reader: DerReader): string[] {
  const lines: string[] = []
  const reference = reader.optional(SEQUENCE)
  if (reference !== undefined) {
    const inside = reader.inside(reference)
    lines.push(`    Organization: ${text(inside)}`)
    const numbers: string[] = []
    for (const list = inside.enter(SEQUENCE); list.more; ) numbers.push(serialDecimal(serialHex(readInteger(list))))
    lines.push(`    Number${numbers.length > 1 ? 's' : ''}: ${numbers.join(', ')}`)
  }
  if (reader.more) lines.push(`    Explicit Text: ${text(reader)}`)
  return lines
}

/** The contents of a string, which OpenSSL prints in its own character set. */
function text(reader: DerReader, tag?: number): string {
  return reader.contents(reader.next(tag)).toString('latin1')
}
