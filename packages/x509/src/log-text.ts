import type { Certificate } from './certificate.ts'
import { nameForLog } from './name-text.ts'

/** httpd's buffer for a log line, and what mod_ssl leaves for the rest of it. */
const LONGEST_LINE = 8192
const RESERVED = 300

/**
 * What mod_ssl adds to a log line about a certificate, from the blank before `[subject: ` to the closing bracket.
 * @param messageLength of the line before it, which limits the names
 */
export function certificateForLog(certificate: Certificate, messageLength: number): string {
  const { subject, issuer, serial, notBefore, notAfter } = certificate
  const longest = Math.max(3, Math.floor((LONGEST_LINE - messageLength - RESERVED) / 2))
  const names = [subject, issuer].map((name) => nameForLog(name, longest) || '-empty-')
  return ` [subject: ${names[0]} / issuer: ${names[1]} / serial: ${serial} / notbefore: ${notBefore.text} / notafter: ${notAfter.text}]`
}
