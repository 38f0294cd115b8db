import { chmodSync } from 'node:fs'
import { isMalformed, parseCertificate, subjectAltNames } from '@gatewright/x509'
import { type NewContent, replaceTogether } from '../../replace-together.ts'
import { LOCAL_NAMES, nameOfGeneral } from './certificate-names.ts'
import { certificateText, type IssuedPair, issueForNames, issueLocalAuthority, keyText } from './issue-pairs.ts'
import { type PairPaths, pairPaths, readStoredPair, type StoredPair } from './stored-pair.ts'

/** A certificate that can be used now. */
export interface UsablePair extends PairPaths {
  /** Why it was issued by this run; null if it was there. */
  readonly issued: 'new' | 'names' | 'expiry' | 'authority' | null
  /** The end of its validity. */
  readonly expires: Date
  /** SHA-256 of the certificate, in upper case with colons. */
  readonly fingerprint: string
}

/** What a run leaves. */
export interface LocalCertificates {
  readonly names: readonly string[]
  readonly authority: UsablePair
  readonly server: UsablePair
  /** Keys that other users could read before this run. */
  readonly closedKeys: readonly string[]
}

/** What a run is to ensure. */
export interface LocalCertificatesWish {
  readonly folder: string
  /** More names than those of every such certificate and of earlier runs. */
  readonly names: readonly string[]
  /** The present time, in ms since the epoch. */
  readonly now: number
}

/** A certificate with less time left is renewed. */
const RENEWED_MS = 30 * 86_400_000
const KEY_MODE = 0o600
const CERTIFICATE_MODE = 0o644

/** A pair with the reason for issuing it. */
interface Decided {
  readonly paths: PairPaths
  readonly pair: IssuedPair
  readonly former: StoredPair | null
  readonly issued: UsablePair['issued']
}

/**
 * Ensures that a folder has an authority, and a certificate of it for all names, each valid for 30 days at least. What
 * is good stays as it is.
 * @throws ForeignFile, NotWritten or the system's error; no certificate or key was changed
 */
export async function ensureLocalCertificates({ folder, names, now }: LocalCertificatesWish): Promise<LocalCertificates> {
  const authorityPaths = pairPaths(folder, 'authority')
  const serverPaths = pairPaths(folder, 'server')
  const [formerAuthority, formerServer] = [readStoredPair(authorityPaths), readStoredPair(serverPaths)]
  const wanted = [...new Set([...LOCAL_NAMES, ...namesOf(formerServer), ...names])]
  const authority = decideAuthority(authorityPaths, formerAuthority, now)
  const server = decideServer(serverPaths, formerServer, authority, wanted, now)
  const written = [authority, server].flatMap(contentsToWrite)
  // A file that replaces another one has its mode.
  const closedKeys = [formerAuthority, formerServer].flatMap(closeKey)
  if (written.length > 0) await replaceTogether(written)
  return { names: wanted, authority: usable(authority), server: usable(server), closedKeys }
}

function decideAuthority(paths: PairPaths, former: StoredPair | null, now: number): Decided {
  if (former !== null && isLasting(former, now)) return { paths, former, pair: former, issued: null }
  return { paths, former, pair: issueLocalAuthority(now), issued: former === null ? 'new' : 'expiry' }
}

/** The key is kept when the certificate is renewed, so that clients that remember it continue to accept the server. */
function decideServer(
  paths: PairPaths,
  former: StoredPair | null,
  { pair: authority }: Decided,
  wanted: readonly string[],
  now: number,
): Decided {
  const issued = reasonToIssue(former, authority, wanted, now)
  if (former !== null && issued === null) return { paths, former, pair: former, issued }
  return { paths, former, pair: issueForNames(authority, wanted, now, former?.key), issued }
}

function reasonToIssue(
  former: StoredPair | null,
  authority: IssuedPair,
  wanted: readonly string[],
  now: number,
): UsablePair['issued'] {
  if (former === null) return 'new'
  const { certificate } = former
  if (!certificate.checkIssued(authority.certificate) || !certificate.verify(authority.certificate.publicKey)) return 'authority'
  if (!isLasting(former, now)) return 'expiry'
  const has = new Set(namesOf(former))
  return wanted.every((name) => has.has(name)) ? null : 'names'
}

function isLasting({ certificate }: StoredPair, now: number): boolean {
  return certificate.validFromDate.getTime() <= now && certificate.validToDate.getTime() - now > RENEWED_MS
}

function namesOf(pair: StoredPair | null): readonly string[] {
  if (pair === null) return []
  const certificate = parseCertificate(pair.certificate.raw)
  if (isMalformed(certificate)) return []
  return subjectAltNames(certificate).flatMap((name) => nameOfGeneral(name) ?? [])
}

function contentsToWrite({ paths, pair, former, issued }: Decided): NewContent[] {
  if (issued === null) return []
  const { certificatePath, keyPath } = paths
  const certificate = {
    path: certificatePath,
    content: certificateText(pair),
    old: former?.certificateText,
    mode: CERTIFICATE_MODE,
  }
  if (former?.key.equals(pair.key)) return [certificate]
  return [{ path: keyPath, content: keyText(pair), old: former?.keyText, mode: KEY_MODE }, certificate]
}

/** Takes a key away from other users. @returns its path if it was open to them */
function closeKey(former: StoredPair | null): string[] {
  if (former === null || !former.isKeyOpen) return []
  chmodSync(former.keyPath, KEY_MODE)
  return [former.keyPath]
}

function usable({ paths, pair, issued }: Decided): UsablePair {
  const { validToDate: expires, fingerprint256: fingerprint } = pair.certificate
  return { ...paths, issued, expires, fingerprint }
}
