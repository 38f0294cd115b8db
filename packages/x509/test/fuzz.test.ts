import { readdirSync } from 'node:fs'
import fc from 'fast-check'
import t from 'tap'
import * as x509 from '../src/index.ts'
import { FIXTURES, fixture } from './support/openssl.ts'

const CERTIFICATES = readdirSync(FIXTURES)
  .filter((name) => name.endsWith('.crt'))
  .map(fixture)
const LISTS = readdirSync(FIXTURES)
  .filter((name) => name.endsWith('.crl'))
  .map(fixture)
const VARIABLES = [
  'S_DN',
  'I_DN',
  'S_DN_CN',
  'S_DN_CN_RAW',
  'SAN_DNS_0',
  'SAN_OTHER_msUPN_0',
  'V_REMAIN',
  'CERT',
  'CERT_RFC4523_CEA',
  'A_SIG',
  'A_KEY',
]

/** A change of bytes: other values, and a part that is removed or repeated. */
const mutations = fc.record({
  bytes: fc.array(fc.tuple(fc.nat(3000), fc.nat(255)), { maxLength: 6 }),
  cut: fc.option(fc.tuple(fc.nat(3000), fc.nat(40)), { freq: 4 }),
  repeat: fc.option(fc.tuple(fc.nat(3000), fc.nat(40)), { freq: 4 }),
})

function mutated(seed: Buffer, { bytes, cut, repeat }: typeof mutations extends fc.Arbitrary<infer M> ? M : never): Buffer {
  let result = Buffer.from(seed)
  for (const [at, value] of bytes) result[at % result.length] = value
  if (cut !== null)
    result = Buffer.concat([result.subarray(0, cut[0] % result.length), result.subarray((cut[0] % result.length) + cut[1])])
  if (repeat !== null && result.length > 0) {
    const at = repeat[0] % result.length
    result = Buffer.concat([result.subarray(0, at + repeat[1]), result.subarray(at)])
  }
  return result
}

/** Uses everything that decodes a part of a certificate. */
function useAll(certificate: x509.Certificate): void {
  for (const name of VARIABLES) x509.certificateVariable(certificate, name)
  x509.listedVariables(certificate, 'msUPN')
  for (const { oid } of certificate.extensions) x509.extensionTexts(certificate, oid)
  x509.basicConstraints(certificate)
  x509.crlDistributionPoints(certificate)
  x509.authorityInformation(certificate)
  x509.coversHost(certificate, 'a.test')
  x509.namesServer(certificate, 'a.test')
  x509.nameAsOneLine(certificate.subject)
  x509.nameHash(certificate.issuer)
}

t.test('no mutation of a certificate makes a parser throw', async (t) => {
  let valid = 0
  let malformed = 0
  fc.assert(
    fc.property(fc.constantFrom(...CERTIFICATES), mutations, (seed, mutation) => {
      const result = x509.parseCertificate(mutated(seed, mutation))
      if (x509.isMalformed(result)) malformed++
      else {
        valid++
        useAll(result)
      }
    }),
    { numRuns: 5000 },
  )
  t.ok(valid > 100 && malformed > 100, `${valid} valid, ${malformed} malformed`)
})

t.test('no mutation of a revocation list makes the parser throw', async (t) => {
  let malformed = 0
  fc.assert(
    fc.property(fc.constantFrom(...LISTS), mutations, (seed, mutation) => {
      if (x509.isMalformed(x509.parseCrl(mutated(seed, mutation)))) malformed++
    }),
    { numRuns: 3000 },
  )
  t.ok(malformed > 100)
})

t.test('no bytes make the parsers throw', async (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      t.ok(x509.isMalformed(x509.parseCertificate(bytes)) && x509.isMalformed(x509.parseCrl(bytes)))
      x509.readPem(bytes)
    }),
    { numRuns: 2000 },
  )
})
