import type { DerReader } from './der-reader.ts'
import { contextConstructed, SEQUENCE } from './der-tags.ts'
import { readGeneralNames } from './general-name.ts'
import { generalNameText } from './general-name-text.ts'
import { MalformedError } from './malformed.ts'

/**
 * Reads cRLDistributionPoints (RFC 5280, section 4.2.1.13). @returns its lines as OpenSSL prints them
 * @throws MalformedError also for points with a relative name, reasons or an issuer, and for directory names, which are rare
 */
export function readDistributionPointLines(reader: DerReader): string[] {
  const lines: string[] = []
  for (const points = reader.enter(SEQUENCE); points.more; ) {
    const point = points.enter(SEQUENCE)
    const name = point.enter(contextConstructed(0))
    const names = readGeneralNames(name.enter(contextConstructed(0)))
    name.finish()
    point.finish()
    lines.push('Full Name:')
    for (const each of names) {
      const text = each.kind === 'directory' ? undefined : generalNameText(each)
      if (text === undefined) throw new MalformedError('a name that is not printed here', reader.at)
      lines.push(`  ${text}`)
    }
  }
  return lines
}
