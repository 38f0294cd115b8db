import { X509Certificate } from 'node:crypto'
import { createSecureContext, type SecureContext } from 'node:tls'
import { cipherListProblem, cipherSuitesProblem, nodeCiphers } from '../cipher-list.ts'
import { Revocation } from '../connections/revocation.ts'
import { ALL_PROTOCOLS, versionRange } from '../protocol-versions.ts'
import type { ProxySettings } from '../settings.ts'
import { readAuthorities, readRevocationLists } from '../start/authorities.ts'
import { type MachineCertificate, readMachineCertificates } from '../start/proxy-certificates.ts'
import type { StartFiles } from '../start/start-files.ts'
import type { StartLog } from '../start/start-log.ts'

/** What connections to back ends are made and judged with: SSLProxy*, with the contents of all files. */
export interface BackEndRules {
  /** Identifies the rules in their process. */
  readonly key: string
  /** `NAME:PORT` of the server, for messages. */
  readonly id: string
  readonly settings: Readonly<ProxySettings>
  readonly trusted: readonly X509Certificate[]
  readonly revocation: Revocation | null
  readonly context: SecureContext
}

/** Reads the files, in httpd's order. @throws StartRefused when it is logged what is wrong */
export function readBackEndRules(
  { key, id, settings }: Pick<BackEndRules, 'key' | 'id' | 'settings'>,
  files: StartFiles,
  log: StartLog,
): BackEndRules {
  const { cipherList, cipherSuites, crlCheck, crlFile, crlPath, verify, verifyDepth, caFile, caPath } = settings
  const range = versionRange(settings.protocols ?? ALL_PROTOCOLS)
  if (range === undefined) log.die('AH02231', 'No SSL protocols available [hint: SSLProtocol]')
  const none = { process: {}, certificateFiles: [], keyFiles: [], confCommands: [], ocsp: {}, stapling: {} }
  const { trusted } = readAuthorities({ verifyClient: verify, verifyDepth, caFile, caPath }, none, files, log)
  const listProblem = cipherListProblem(cipherList)
  if (listProblem !== undefined) log.die('AH01898', 'Unable to configure permitted SSL ciphers', listProblem)
  const suitesProblem = cipherSuitesProblem(cipherSuites)
  if (suitesProblem !== undefined) log.die('AH10127', 'Unable to configure permitted TLSv1.3 ciphers', suitesProblem)
  const lists = readRevocationLists(id, { ...none, crlCheck, crlFile, crlPath }, files, log)
  const [machine] = readMachineCertificates(settings, files, log)
  return {
    key,
    id,
    settings,
    trusted: trusted.map((pem) => new X509Certificate(pem)),
    revocation: crlCheck === undefined || crlCheck.whose === 'nobody' ? null : new Revocation(crlCheck, lists),
    context: createSecureContext({
      minVersion: range.min,
      maxVersion: range.max,
      ciphers: nodeCiphers(cipherList, cipherSuites),
      // Without authorities nobody is trusted: Node would trust its own.
      ca: [...trusted],
      ...ownCertificate(machine),
    }),
  }
}

function ownCertificate(machine: MachineCertificate | undefined): { readonly cert?: string; readonly key?: string } {
  return machine === undefined ? {} : { cert: machine.chain.join(''), key: machine.key }
}
