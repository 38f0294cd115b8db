import { createHash, generateKeyPairSync } from 'node:crypto'
import type { ModuleLog } from '@gatewright/api'
import { acmeChallengeCertificate, pemText } from '@gatewright/x509'
import { run } from '../command-line.ts'
import type { ManagedDomain } from '../domains/managed-domain.ts'
import type { Registry } from '../domains/registry.ts'
import type { Job } from '../store/job.ts'
import type { ChallengeMessage } from './messages.ts'
import { notify } from './notify.ts'

type Challenge = ChallengeMessage['challenge']

/** The file with the answer to http-01, for all workers. */
export const HTTP_FILE = 'acme-http-01.txt'
/** Files of the certificate that answers tls-alpn-01. */
export const TLS_FILES = {
  certificate: 'acme-tls-alpn-01-pubcert.secp256r1.pem',
  key: 'acme-tls-alpn-01-privkey.secp256r1.pem',
} as const

/** Makes the answers to challenges of one domain available, and takes them away. */
export class ChallengeAnswers {
  readonly #registry: Registry
  readonly #md: ManagedDomain
  readonly #job: Job
  readonly #log: ModuleLog

  constructor(registry: Registry, md: ManagedDomain, job: Job, log: ModuleLog) {
    this.#registry = registry
    this.#md = md
    this.#job = job
    this.#log = log
  }

  /** @throws Error when the answer cannot be made available, or the program of the operator objects */
  async setUp(challenge: Challenge): Promise<void> {
    const { type, domain, keyAuthorization } = challenge
    const { store } = this.#registry
    this.#check(challenge)
    if (type === 'http-01') store.writeText('challenges', domain, HTTP_FILE, keyAuthorization)
    else if (type === 'tls-alpn-01') this.#writeCertificate(domain, keyAuthorization)
    else await this.#dns('setup', domain, digest(keyAuthorization).toString('base64url'))
    const problem = await notify(this.#registry.process, this.#job, `challenge-setup:${type}:${domain}`, this.#log)
    if (problem !== undefined) throw new Error(problem)
  }

  async tearDown(challenge: Challenge): Promise<void> {
    const { type, domain, keyAuthorization } = challenge
    this.#check(challenge)
    const { store } = this.#registry
    if (type === 'http-01') store.remove('challenges', domain, HTTP_FILE)
    else if (type === 'tls-alpn-01') {
      store.remove('challenges', domain, TLS_FILES.certificate)
      store.remove('challenges', domain, TLS_FILES.key)
    } else {
      const content = this.#registry.process.dnsVersion === '2' ? [digest(keyAuthorization).toString('base64url')] : []
      return await this.#dns('teardown', domain, ...content)
    }
    store.purge('challenges', domain)
  }

  /** What the process that speaks with the CA says is not trusted: names and tokens become paths and arguments. */
  #check({ domain, token, keyAuthorization }: Challenge): void {
    const isOwn = this.#md.domains.some((name) => name === domain || name === `*.${domain}`)
    const isSound = /^[\w-]{1,256}$/.test(token) && /^[\w-]{1,512}\.[\w-]{43}$/.test(keyAuthorization)
    if (!isOwn || !isSound) throw new Error('a challenge is not about a name of this domain')
  }

  #writeCertificate(host: string, keyAuthorization: string): void {
    const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
    const der = acmeChallengeCertificate({ key, host, digest: digest(keyAuthorization), now: new Date() })
    const { store } = this.#registry
    store.writeKey('challenges', host, TLS_FILES.key, key)
    store.writeText('challenges', host, TLS_FILES.certificate, pemText('CERTIFICATE', der))
  }

  async #dns(action: 'setup' | 'teardown', domain: string, ...content: string[]): Promise<void> {
    const command = this.#md.dnsCommand ?? this.#registry.process.dnsCommand
    if (command === undefined) throw new Error(`dns-01 command not set for ${domain}`)
    const status = await run(command, [action, domain, ...content])
    if (status === 0) return
    const text = `${this.#md.name}: dns-01 ${action} command failed (exit code=${status}) for ${domain}`
    this.#log.write(null, 'warn', '', text)
    if (action === 'setup') throw new Error(text)
  }
}

function digest(keyAuthorization: string): Buffer {
  return createHash('sha256').update(keyAuthorization).digest()
}
