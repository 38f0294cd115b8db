import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Owner } from '../fixtures/staged-server.ts'
import { AcmeSite } from './acme-site.ts'

const HTTPD = '/usr/sbin/apache2'
const MODULES = '/usr/lib/apache2/modules'

/** Whether Apache httpd with mod_md is installed. */
export function hasHttpd(): boolean {
  return existsSync(HTTPD) && existsSync(`${MODULES}/mod_md.so`)
}

/**
 * The same configuration and store for both servers, one after the other: each serves the certificate that the other
 * has obtained, and reports the same about it.
 */
export async function takeTurnsWithHttpd(t: Owner): Promise<void> {
  const site = await AcmeSite.make(t, {
    domains: ['turns.example.org', 'www.turns.example.org'],
    ports: 'http',
    lines: ['MDPrivateKeys RSA secp256r1'],
    inHosts: ['<Location "/md-status">', 'SetHandler md-status', '</Location>'],
  })
  await site.server.start()
  const ours = await site.certified()
  const ourStatus = await statusOf(site)
  await site.server.stop()

  const httpd = startHttpd(site)
  t.teardown(() => end(httpd))
  const theirs = await site.certified()
  assert.equal(theirs.certificate.serialNumber, ours.certificate.serialNumber, 'httpd serves our certificate')
  assert.match(theirs.text, /^Server: Apache\/2\.4/m)
  const theirStatus = await statusOf(site)
  assert.deepEqual(ourStatus, theirStatus, 'md-status')
  assert.equal(bodyOf(await site.ask('/.httpd/certificate-status')), ourStatus.certificate)

  // httpd obtains one of its own, which this server then serves.
  await end(httpd)
  site.remove('domains')
  site.remove('staging')
  const again = startHttpd(site)
  t.teardown(() => end(again))
  await site.until(
    'httpd has obtained a certificate',
    () => site.has('staging/turns.example.org/pubcert.secp256r1.pem') && isFinished(site),
  )
  await end(again)
  await site.server.start()
  const last = await site.certified(ours.certificate.serialNumber)
  assert.notEqual(last.certificate.serialNumber, ours.certificate.serialNumber)
  assert.ok(!site.has('accounts/ACME-localhost-0001'), 'the account of the store is used by both')
}

function startHttpd(site: AcmeSite): ChildProcess {
  const { server } = site
  const lines = server
    .read('conf/httpd.conf')
    .split('\n')
    .filter((line) => !/^(?:WorkerProcesses|LoadModule) /.test(line))
  const modules = ['mpm_event', 'authz_core', 'md', 'ssl', 'status'].map(
    (name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`,
  )
  const file = server.file('conf/apache2.conf', [`DefaultRuntimeDir ${server.path('logs')}`, ...modules, ...lines].join('\n'))
  return spawn(HTTPD, ['-f', file, '-D', 'FOREGROUND'], { stdio: 'ignore' })
}

function isFinished(site: AcmeSite): boolean {
  return /"notified-renewed": true/.test(site.server.read('md/staging/turns.example.org/job.json'))
}

/** What a server reports, without the parts that change with each run. */
async function statusOf(site: AcmeSite): Promise<{ readonly md: unknown; readonly certificate: string }> {
  const md = JSON.parse(bodyOf(await site.ask('/md-status/turns.example.org')))
  return { md, certificate: bodyOf(await site.ask('/.httpd/certificate-status')) }
}

function bodyOf({ text }: { readonly text: string }): string {
  const at = text.indexOf('\r\n\r\n') + 4
  const body = text.slice(at)
  // httpd sends chunks.
  return /transfer-encoding: chunked/i.test(text.slice(0, at))
    ? body.replace(/^[0-9a-f]+\r\n/i, '').replace(/\r\n0\r\n\r\n$/, '')
    : body
}

function end(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill()
  })
}
