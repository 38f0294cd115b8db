import { X509Certificate } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import {
  type BasicResponse,
  certificateIdOf,
  isMalformed,
  isResponseVerified,
  isSameId,
  isTimely,
  ocspRequest,
  ocspTryLater,
  parseOcspResponse,
} from '../src/index.ts'
import { FIXTURES, fixture, openssl, parsed, withoutOpenssl } from './support/openssl.ts'

const ISSUER = join(FIXTURES, 'ca.crt')
const ALICE = join(FIXTURES, 'alice.crt')
const issuer = new X509Certificate(readFileSync(ISSUER))
const other = new X509Certificate(readFileSync(join(FIXTURES, 'other-ca.crt')))
const id = certificateIdOf(parsed(fixture('alice.crt')), parsed(fixture('ca.crt')))

/** A response about alice, made by openssl and signed by the authority unless another is named. */
function respond(t: Test, entry: string, signer = 'ca'): Buffer {
  const folder = t.testdir({ 'index.txt': entry })
  const [request, response] = [join(folder, 'request'), join(folder, 'response')]
  openssl(['ocsp', '-issuer', ISSUER, '-cert', ALICE, '-reqout', request])
  const by = ['-rsigner', join(FIXTURES, `${signer}.crt`), '-rkey', join(FIXTURES, `${signer}.key`)]
  openssl([
    'ocsp',
    '-index',
    join(folder, 'index.txt'),
    '-CA',
    ISSUER,
    ...by,
    '-reqin',
    request,
    '-respout',
    response,
    '-ndays',
    '1',
  ])
  return readFileSync(response)
}

const SERIAL = new X509Certificate(readFileSync(ALICE)).serialNumber
const VALID = `V\t360101000000Z\t\t${SERIAL}\tunknown\t/CN=x\n`
const REVOKED = `R\t360101000000Z\t200101000000Z,keyCompromise\t${SERIAL}\tunknown\t/CN=x\n`

/** @throws Error if it is malformed or has no answer */
function basicIn(der: Buffer): BasicResponse {
  const response = parseOcspResponse(der)
  if (isMalformed(response) || response.basic === undefined) throw new Error('no answer')
  return response.basic
}

t.test('requests are those of openssl', { skip: withoutOpenssl }, (t) => {
  const file = join(t.testdir({}), 'request')
  openssl(['ocsp', '-issuer', ISSUER, '-cert', ALICE, '-no_nonce', '-reqout', file])
  if (isMalformed(id)) throw new Error(id.malformed)
  t.same(ocspRequest(id, null), readFileSync(file))
  writeFileSync(file, ocspRequest(id, Buffer.from('0123456789abcdef')))
  t.match(openssl(['ocsp', '-reqin', file, '-req_text', '-no_nonce']), /OCSP Nonce: \s*041030313233343536373839616263646566/i)
  t.end()
})

t.test('responses are read and verified', { skip: withoutOpenssl }, (t) => {
  if (isMalformed(id)) throw new Error(id.malformed)
  const now = new Date()
  for (const [entry, status, reason] of [
    [VALID, 'good', undefined],
    [REVOKED, 'revoked', 1],
    ['', 'unknown', undefined],
  ] as const) {
    const basic = basicIn(respond(t, entry))
    const [single] = basic.responses
    t.ok(isSameId(single.id, id))
    t.match(single, { status, reason }, status)
    t.equal(isResponseVerified(basic, { issuer, trusted: [] }, now), true)
    t.equal(isResponseVerified(basic, { issuer: other, trusted: [] }, now), false, 'another authority')
    t.equal(isResponseVerified(basic, { issuer: other, trusted: [issuer] }, now), true, 'named')
    const changed = { ...basic, signedPart: Buffer.from(basic.signedPart) }
    changed.signedPart[changed.signedPart.length - 1] ^= 1
    t.equal(isResponseVerified(changed, { issuer, trusted: [] }, now), false)
  }
  const rogue = basicIn(respond(t, VALID, 'bob'))
  t.equal(isResponseVerified(rogue, { issuer, trusted: [] }, now), false, 'signed by a client')
  t.end()
})

t.test('a status is of the present within the skew', { skip: withoutOpenssl }, (t) => {
  const [single] = basicIn(respond(t, VALID)).responses
  const from = single.thisUpdate.date?.getTime() ?? 0
  const at = (seconds: number): Date => new Date(from + seconds * 1000)
  const day = 86_400
  t.equal(isTimely(single, at(0), 0, null), true)
  t.equal(isTimely(single, at(-10), 5, null), false)
  t.equal(isTimely(single, at(-10), 10, null), true)
  t.equal(isTimely(single, at(day + 10), 5, null), false)
  t.equal(isTimely(single, at(day + 10), 10, null), true)
  t.equal(isTimely(single, at(100), 0, 60), false)
  t.equal(isTimely({ ...single, nextUpdate: undefined }, at(365 * day), 0, null), true)
  t.end()
})

t.test('errors and malformed responses', { skip: withoutOpenssl }, (t) => {
  t.match(parseOcspResponse(ocspTryLater()), { status: 3, basic: undefined })
  const good = respond(t, VALID)
  for (let length = 0; length < good.length; length++) t.ok(isMalformed(parseOcspResponse(good.subarray(0, length))))
  for (let at = 0; at < good.length; at++) {
    const bytes = Buffer.from(good)
    bytes[at] ^= 1 << (at % 8)
    const response = parseOcspResponse(bytes)
    const isForged =
      !isMalformed(response) &&
      response.basic !== undefined &&
      !response.basic.signedPart.equals(basicIn(good).signedPart) &&
      isResponseVerified(response.basic, { issuer, trusted: [] }, new Date())
    if (isForged) t.fail(`a changed byte at ${at} is not noticed`)
  }
  t.end()
})
