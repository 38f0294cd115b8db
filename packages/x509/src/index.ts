export type { Algorithm } from './algorithm.ts'
export { certificateRequest, type RequestPlan } from './build/certificate-request.ts'
export { criticalExtension, derExtension, type Purpose } from './build/extensions.ts'
export {
  type AuthorityPlan,
  acmeChallengeCertificate,
  type CertificatePlan,
  type ChallengePlan,
  type Issuer,
  issueAuthority,
  issueCertificate,
  type LeafPlan,
} from './build/issue-certificate.ts'
export { addressOctets, type NameParts } from './build/names.ts'
export { type Certificate, parseCertificate } from './certificate.ts'
export { certificateVariable, chainVariable, listedVariables, type VariableOptions } from './certificate-variables.ts'
export { type Crl, parseCrl, type Revocation } from './crl.ts'
export { DerReader, type DerValue } from './der-reader.ts'
export * as tags from './der-tags.ts'
export { readBits, readBooleanOrFalse, readInteger, readOid, readSmallInteger } from './der-values.ts'
export {
  derBits,
  derBoolean,
  derExplicit,
  derIa5,
  derImplicit,
  derInteger,
  derNull,
  derOctets,
  derOid,
  derSequence,
  derSet,
  derTime,
  derUtf8,
  derValue,
} from './der-writer.ts'
export type { Extension } from './extension.ts'
export { extensionTexts } from './extension-text.ts'
export {
  type AuthorityInformation,
  authorityInformation,
  authorityKeyIdentifier,
  type BasicConstraints,
  basicConstraints,
  crlDistributionPoints,
  extendedKeyUsage,
  keyUsage,
  mustStaple,
  subjectAltNames,
  subjectKeyIdentifier,
} from './extension-values.ts'
export type { GeneralName } from './general-name.ts'
export { coversAddress, coversHost, hostNamesOf, namesServer } from './host-names.ts'
export { certificateForLog } from './log-text.ts'
export { isMalformed, type Malformed, MalformedError, orMalformed } from './malformed.ts'
export type { Name, NameAttribute } from './name.ts'
export { isSameName, nameHash } from './name-hash.ts'
export { type NameText, nameAsAscii, nameAsOneLine, nameAsRfc2253, nameForLog } from './name-text.ts'
export { type CertificateId, certificateIdOf, isSameId } from './ocsp/certificate-id.ts'
export { ocspRequest } from './ocsp/request.ts'
export {
  type BasicResponse,
  type CertificateStatus,
  type OcspResponse,
  ocspTryLater,
  parseOcspResponse,
  type SingleResponse,
} from './ocsp/response.ts'
export { isResponseVerified, isTimely, type ResponseSigners } from './ocsp/verify-response.ts'
export { isCertificateBlock, isEncryptedKey, isKeyBlock, type PemBlock, pemText, readPem } from './pem.ts'
export { hasReadableExtensions } from './readable-extensions.ts'
export { serialDecimal } from './serial.ts'
export { isSignatureOf } from './signature.ts'
export type { CertificateTime } from './time.ts'
