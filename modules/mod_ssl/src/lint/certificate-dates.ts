import type { X509Certificate } from 'node:crypto'
import type { LintFinding, LintRule, ModuleHost } from '@gatewright/api'
import type { SectionSettings, ServerSettings } from '../settings.ts'
import { type CertificateFile, securedHosts, titleOf } from './secured-hosts.ts'

const DAY = 86_400_000
/** Certificates are renewed this long before their end, or after two thirds of their time. */
const SOON = 30 * DAY

/** A certificate that clients refuse because of its dates. */
export function invalidDates(host: ModuleHost<SectionSettings, ServerSettings>): LintRule {
  return {
    about: 'a certificate that has expired or is not valid yet',
    severity: 'error',
    find: (configuration) =>
      eachCertificate(host, configuration, (certificate, { path, place }) => {
        const { validFromDate, validToDate } = certificate
        const subject = `the certificate of ${titleOf(certificate)} in ${path}`
        if (validToDate.getTime() < configuration.now)
          return [{ ...place, message: `${subject} expired on ${day(validToDate)}: clients refuse it`, hint: RENEW }]
        if (validFromDate.getTime() > configuration.now)
          return [{ ...place, message: `${subject} is not valid before ${day(validFromDate)}: clients refuse it`, hint: CLOCK }]
        return []
      }),
  }
}

/** A certificate that has to be renewed. */
export function nearEnd(host: ModuleHost<SectionSettings, ServerSettings>): LintRule {
  return {
    about: 'a certificate that expires within 30 days, or in the last third of its time',
    severity: 'warning',
    find: (configuration) =>
      eachCertificate(host, configuration, (certificate, { path, place }) => {
        const { validFromDate, validToDate } = certificate
        const left = validToDate.getTime() - configuration.now
        const whole = validToDate.getTime() - validFromDate.getTime()
        if (left < 0 || validFromDate.getTime() > configuration.now || left >= Math.min(SOON, whole / 3)) return []
        const days = Math.floor(left / DAY)
        const message = `the certificate of ${titleOf(certificate)} in ${path} expires on ${day(validToDate)}, in ${days} ${days === 1 ? 'day' : 'days'}`
        return [{ ...place, message, hint: RENEW }]
      }),
  }
}

const RENEW = 'renew it, or let mod_md renew it in time (MDomain)'
const CLOCK = 'wait, check the clock of this machine, or use the former certificate until then'

type Examine = (certificate: X509Certificate, file: CertificateFile) => readonly LintFinding[]

function eachCertificate(
  host: ModuleHost<SectionSettings, ServerSettings>,
  configuration: Parameters<LintRule['find']>[0],
  examine: Examine,
): readonly LintFinding[] {
  return securedHosts(host, configuration).flatMap(({ pairs, chain }) => {
    const files = [...pairs.map(({ certificate }) => certificate), ...(chain === null ? [] : [chain])]
    return files.flatMap((file) => file.certificates.flatMap((certificate) => examine(certificate, file)))
  })
}

function day(date: Date): string {
  return date.toISOString().slice(0, 10)
}
