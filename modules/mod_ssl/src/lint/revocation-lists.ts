import type { LintFinding, LintRule, ModuleHost } from '@gatewright/api'
import { type Crl, isMalformed, nameAsRfc2253, nameHash, parseCrl, readPem } from '@gatewright/x509'
import type { SectionSettings, ServerSettings } from '../settings.ts'
import { HASHED_LIST } from '../start/authorities.ts'
import { fileNamesIn, readText } from '../start/files.ts'
import { revocationListsIn } from '../start/pem.ts'
import { type SecuredHost, securedHosts } from './secured-hosts.ts'

/** A revocation list and the file that has it. */
interface FoundList {
  readonly path: string
  readonly crl: Crl
}

/** A revocation list because of whose dates all certificates of its authority are refused. */
export function outdatedLists(host: ModuleHost<SectionSettings, ServerSettings>): LintRule {
  return {
    about: 'a revocation list that has expired or is not valid yet',
    severity: 'error',
    find: (configuration) => securedHosts(host, configuration).flatMap((secured) => findingsIn(secured, configuration.now)),
  }
}

function findingsIn({ server, settings, linesOf }: SecuredHost, now: number): readonly LintFinding[] {
  const { crlFile, crlPath, crlCheck } = settings.server
  if (crlCheck === undefined || crlCheck.whose === 'nobody') return []
  const lists = [
    ...(crlFile === undefined ? [] : listsIn(crlFile)),
    ...(crlPath === undefined
      ? []
      : fileNamesIn(crlPath)
          .filter((name) => HASHED_LIST.test(name))
          .flatMap((name) => listsIn(`${crlPath}/${name}`))),
  ]
  // A valid list of the same authority counts instead.
  const covered = new Set(lists.filter(({ crl }) => problemOf(crl, now) === undefined).map(({ crl }) => nameHash(crl.issuer)))
  return lists.flatMap(({ path, crl }) => {
    const problem = covered.has(nameHash(crl.issuer)) ? undefined : problemOf(crl, now)
    if (problem === undefined) return []
    const { file, line } = linesOf(path === crlFile ? 'SSLCARevocationFile' : 'SSLCARevocationPath').at(-1) ?? server
    const message = `the revocation list of ${nameAsRfc2253(crl.issuer)} in ${path} ${problem.message}: ${settings.id} refuses all certificates of this authority`
    return [{ file, line, message, hint: problem.hint }]
  })
}

function listsIn(path: string): readonly FoundList[] {
  return revocationListsIn(readText(path)).flatMap((text) => {
    const der = readPem(text)[0]?.der
    const crl = der === undefined ? null : parseCrl(der)
    return crl === null || isMalformed(crl) ? [] : [{ path, crl }]
  })
}

function problemOf(
  { thisUpdate, nextUpdate }: Crl,
  now: number,
): { readonly message: string; readonly hint: string } | undefined {
  if (nextUpdate?.date !== undefined && nextUpdate.date.getTime() < now)
    return {
      message: `expired on ${day(nextUpdate.date)}`,
      hint: 'fetch the present list of the authority, and reload the server',
    }
  if (thisUpdate.date !== undefined && thisUpdate.date.getTime() > now)
    return {
      message: `is not valid before ${day(thisUpdate.date)}`,
      hint: 'use the present list, or check the clock of this machine',
    }
  return undefined
}

function day(date: Date): string {
  return date.toISOString().slice(0, 10)
}
