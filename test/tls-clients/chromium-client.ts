import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Chromium, findChromium } from '../browser/chromium.ts'
import { type ClientsSite, PASSWORD, USER } from './clients-site.ts'
import type { TlsClient } from './tls-client.ts'
import type { Answer, Visit } from './visits.ts'

/** By this policy the browser presents a certificate without asking its user. Only root can write one. */
const POLICY = '/etc/chromium/policies/managed/gatewright-tls-clients.json'
const NO_ANSWER: Answer = { status: null, body: '' }
/** Only a browser that shows nothing at all exceeds this. */
const LONGEST_VISIT_MS = 120_000

/** Keys and certificates are in a database of NSS in the home folder, so each certificate has a home and a browser of its own. */
export const CHROMIUM_CLIENT: TlsClient = {
  name: 'Chromium',
  // Without a user who could enter a password it shows an error page of its own.
  hidesChallenges: true,
  needs: [['chromium', 'chromium-browser', 'google-chrome'], ['certutil'], ['pk12util'], ['openssl']],
  packages: 'chromium libnss3-tools openssl',
  obstacle: () => {
    if (process.geteuid?.() !== 0) return 'only root can write the policy by which it presents certificates'
    return existsSync(POLICY) ? `${POLICY} exists: another run is under way, or was killed` : null
  },
  visitAll: async (visits, site) => {
    const folders = writePolicy(site)
    try {
      const answers = new Map<Visit, Answer>()
      const groups = Map.groupBy(visits, ({ version, certificate }) => `${version}-${certificate}`)
      for (const [name, group] of groups) await visitGroup(name, group, site, answers)
      return visits.map((visit) => answers.get(visit) ?? NO_ANSWER)
    } finally {
      rmSync(POLICY)
      if (folders !== undefined) rmSync(folders, { recursive: true })
    }
  },
}

/** @returns the first folder that had to be made */
function writePolicy({ ports }: ClientsSite): string | undefined {
  const made = mkdirSync(dirname(POLICY), { recursive: true })
  const choose = Object.values(ports).map((port) => JSON.stringify({ pattern: `https://localhost:${port}`, filter: {} }))
  writeFileSync(POLICY, JSON.stringify({ AutoSelectCertificateForUrls: choose }), { mode: 0o644 })
  return made
}

async function visitGroup(name: string, group: readonly Visit[], site: ClientsSite, answers: Map<Visit, Answer>): Promise<void> {
  const [{ version, certificate }] = group
  const program = findChromium()
  if (program === null) throw new Error('Chromium has disappeared')
  const home = site.server.path(`scratch/chromium-${name}`)
  fillDatabase(home, site, certificate)
  for (const visit of group) {
    // A browser remembers passwords and which certificate it presented, so each visit has a new one.
    const browser = await Chromium.start(program, [`--ssl-version-min=tls${version}`, `--ssl-version-max=tls${version}`], {
      HOME: home,
    })
    try {
      answers.set(visit, await visitPage(browser, visit))
    } finally {
      await browser.close()
    }
  }
}

async function visitPage(browser: Chromium, { url, withPassword }: Visit): Promise<Answer> {
  const address = new URL(url)
  if (withPassword) [address.username, address.password] = [USER, PASSWORD]
  const page = await browser.open()
  const shown = await Promise.race([page.visit(address.href).then(() => true), pause(LONGEST_VISIT_MS, false, { ref: false })])
  if (!shown) throw new Error(`Chromium shows nothing for ${url}`)
  const answer: unknown = await page.evaluate(`({
    status: location.protocol === 'https:' ? performance.getEntriesByType('navigation')[0].responseStatus : null,
    body: document.body.textContent,
  })`)
  const { status, body } = isAnswer(answer) ? answer : NO_ANSWER
  return { status, body: status === 200 ? body : '' }
}

function isAnswer(value: unknown): value is Answer {
  if (typeof value !== 'object' || value === null || !('status' in value) || !('body' in value)) return false
  return (value.status === null || typeof value.status === 'number') && typeof value.body === 'string'
}

/** Trusts the server's authority, and has the certificate. */
function fillDatabase(home: string, { authority, certificates }: ClientsSite, certificate: Visit['certificate']): void {
  const folder = join(home, '.pki/nssdb')
  mkdirSync(folder, { recursive: true })
  const database = ['-d', `sql:${folder}`]
  const run = (program: string, ...words: readonly string[]): void => void execFileSync(program, words, { stdio: 'ignore' })
  run('certutil', ...database, '-N', '--empty-password')
  run('certutil', ...database, '-A', '-t', 'C,,', '-n', 'server-authority', '-i', authority)
  if (certificate === null) return
  const pair = certificates[certificate]
  const bundle = join(home, 'own.p12')
  run(
    'openssl',
    'pkcs12',
    '-export',
    '-in',
    pair.certificate,
    '-inkey',
    pair.key,
    '-out',
    bundle,
    '-passout',
    'pass:none',
    '-name',
    'own',
  )
  run('pk12util', ...database, '-i', bundle, '-W', 'none')
}
