import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AcmeSession, HttpsClient, readDirectory } from '@gatewright/acme'
import type { Owner } from '../fixtures/staged-server.ts'
import { AcmeSite } from './acme-site.ts'

const SIX_DAYS = 518_400

/** A certificate of a profile; when it is revoked, the CA advises to renew it at once, and the server does. */
export async function byAdviceOfTheCa(t: Owner): Promise<void> {
  const site = await AcmeSite.make(t, {
    domains: ['advised.example.org'],
    ports: 'http',
    pebble: { profiles: { default: 90 * 86_400, shortlived: SIX_DAYS } },
    lines: ['MDProfile shortlived', 'MDProfileMandatory on', 'MDCheckInterval 1s'],
  })
  await site.server.start()
  const { certificate } = await site.certified()
  const seconds = (Date.parse(certificate.valid_to) - Date.parse(certificate.valid_from)) / 1000
  assert.ok(Math.abs(seconds - SIX_DAYS) < 10, 'the profile counts')
  assert.ok(!/AH10517/.test(site.server.read('logs/error_log')), 'nothing is to be renewed yet')

  await revoke(site)
  await site.certified(certificate.serialNumber)
  const log = site.server.read('logs/error_log')
  assert.match(log, /AH10517: md\(advised\.example\.org\): CA advises renew via ARI now/)
  assert.match(log, /Creating new order, profile=shortlived, replacing-cert=[\w-]+\.[\w-]+/)
}

/** Whether the installed CA has profiles and renewal information: pebble does from version 2.7 on. */
export function givesAdvice(): boolean {
  try {
    execFileSync('sh', ['-c', 'grep -aq draft-ietf-acme-ari "$(command -v pebble)"'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** With the key of the certificate (RFC 8555, section 7.6). */
async function revoke({ store, pebble }: AcmeSite): Promise<void> {
  const folder = join(store, 'domains/advised.example.org')
  const client = new HttpsClient({ product: 'test', authorities: readFileSync(pebble.authority, 'utf8') })
  const text = execFileSync('curl', ['-sS', '--cacert', pebble.authority, pebble.directory], { encoding: 'utf8' })
  const { revokeCert }: { readonly revokeCert: string } = JSON.parse(text)
  const key = createPrivateKey(readFileSync(join(folder, 'privkey.secp256r1.pem')))
  const session = new AcmeSession(client, await readDirectory(client, pebble.directory), key)
  const [, base64 = ''] =
    /-----BEGIN CERTIFICATE-----([^-]*)/.exec(readFileSync(join(folder, 'pubcert.secp256r1.pem'), 'utf8')) ?? []
  await session.post(revokeCert, { certificate: Buffer.from(base64, 'base64').toString('base64url') })
  client.close()
}
