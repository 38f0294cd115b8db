import { generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { renewalIdOf } from '@gatewright/acme'
import type { ModuleLog } from '@gatewright/api'
import { certificateRequest } from '@gatewright/x509'
import { minimalNames } from '../dns-names.ts'
import { challengesFor, possibleChallenges } from '../domains/challenge-types.ts'
import { domainJson, keysOf, type ManagedDomain } from '../domains/managed-domain.ts'
import type { Registry } from '../domains/registry.ts'
import { generateKey, type KeySpec, keyFileName, keyTitle } from '../key-specs.ts'
import { type Account, findAccount, stageAccount, stagedAccount } from '../store/accounts.ts'
import { chainIn, periodOf, readCredentials } from '../store/credentials.ts'
import type { Job } from '../store/job.ts'
import { ChallengeAnswers } from './answer-challenges.ts'
import { askProcess } from './ask-process.ts'
import type { Reach } from './messages.ts'

/** How a renewal has ended. */
export type RenewalResult =
  /** The certificates are staged, and may be used from then on (ms). */
  | { readonly kind: 'done'; readonly readyAt: number }
  | { readonly kind: 'failed'; readonly problem: string; readonly detail: string; readonly retryAfter: number }

/** What a renewal needs of its surroundings. */
export interface RenewalParts {
  readonly registry: Registry
  readonly log: ModuleLog
  reachOf(directory: string, md: ManagedDomain): Reach
  readonly signal: AbortSignal
}

const ACCOUNT_BITS = 3072
const generate = promisify(generateKeyPair)

/** Obtains the certificates of a domain and puts them into `staging`; what a former attempt has obtained is kept. */
export class Renewal {
  readonly #parts: RenewalParts
  readonly #md: ManagedDomain
  readonly #job: Job

  constructor(parts: RenewalParts, md: ManagedDomain, job: Job) {
    this.#parts = parts
    this.#md = md
    this.#job = job
  }

  async run(): Promise<RenewalResult> {
    const md = this.#md
    const { registry } = this.#parts
    const { store } = registry
    const types = possibleChallenges(registry, md)
    if (typeof types === 'string') return failure('', types)
    this.#note(`MDomain ${md.name} initialized with support for ACME challenges ${types.join(' ')}`)
    if (md.contacts.length === 0) {
      const text = `No contact information is available for MD ${md.name}. Configure one using the MDContactEmail or ServerAdmin directive.`
      return failure('', text)
    }
    const authority = this.#chooseAuthority()
    store.writeJson('staging', md.name, 'md.json', { ...domainJson(md), ca: { ...caOf(md), url: authority } })
    this.#note(`Contacting ACME server for ${md.name} at ${authority}`)
    const now = Date.now()
    let readyAt = now
    let isNew = this.#job.validFrom === 0
    for (const spec of keysOf(md)) {
      const staged = readCredentials(store, 'staging', md.name, spec)
      if (staged === undefined) {
        isNew = true
        const problem = await this.#obtain(spec, authority, types)
        if (problem !== undefined) return problem
      }
      const found = readCredentials(store, 'staging', md.name, spec)
      if (found === undefined) return failure('', 'Certificate and private key do not match.')
      readyAt = Math.max(readyAt, periodOf(found.certificate).start)
    }
    // Certificates that have waited do not wait again.
    const delayed = isNew ? now + registry.process.activationDelay : this.#job.validFrom
    return { kind: 'done', readyAt: Math.max(readyAt, delayed) }
  }

  /** The CA of the former attempt, or the next one when it has failed too often. */
  #chooseAuthority(): string {
    const md = this.#md
    const { store, process } = this.#parts.registry
    const ca = store.readJson('staging', md.name, 'md.json')?.ca
    const former = typeof ca === 'object' && ca !== null && 'url' in ca && typeof ca.url === 'string' ? ca.url : undefined
    const index = former === undefined ? -1 : md.authorities.indexOf(former)
    const fails = md.authorities.length > 1 && this.#job.errors >= process.retryFailover
    if (former !== undefined && index >= 0 && !fails) return former
    if (former !== undefined) {
      this.#note(`Resetting staging for ${md.name}`)
      store.purge('staging', md.name)
    }
    const next = md.authorities[index < 0 ? 0 : (index + 1) % md.authorities.length]
    return next
  }

  async #obtain(
    spec: KeySpec,
    authority: string,
    types: readonly Parameters<typeof challengesFor>[1][number][],
  ): Promise<RenewalResult | undefined> {
    const md = this.#md
    const { registry, log, signal } = this.#parts
    const { store } = registry
    const title = keyTitle(spec)
    this.#note(`Driving ACME to renew ${title} certificate for ${md.name}`)
    const reach = this.#reach(authority)
    if (typeof reach === 'string') return failure('', reach)
    const key = store.readKey('staging', md.name, keyFileName(spec, 'privkey')) ?? (await this.#newKey(spec))
    const domains = minimalNames(md.domains)
    const csr = certificateRequest({ key, hosts: domains, ...(md.mustStaple && { mustStaple: true }) })
    this.#note(`Selecting account to use for ${md.name}`)
    const account = await this.#account(authority)
    const answers = new ChallengeAnswers(registry, md, this.#job, log)
    const names = [...new Set(domains.map((name) => name.replace(/^\*\./, '')))]
    const replaced = md.certificates.find((stored) => stored?.name === (spec.kind === 'ec' ? spec.curve : 'rsa'))
    const replaces = replaced === undefined || !md.renewByAri ? undefined : renewalIdOf(replaced.certificate.raw)
    const { binding } = md
    const result = await askProcess(
      {
        kind: 'obtain',
        reach,
        account: {
          key: String(account.key.export({ type: 'pkcs8', format: 'pem' })),
          url: account.url,
          contacts: md.contacts,
          agreed: md.agreement !== undefined,
          ...(binding !== undefined && binding.kid !== 'none' && { binding }),
        },
        order: {
          domains,
          csr: csr.toString('base64'),
          challenges: Object.fromEntries(names.map((name) => [name, challengesFor(md, types, name)])),
          ...(md.profile !== undefined && { profile: md.profile }),
          profileMandatory: md.profileMandatory,
          ...(replaces !== undefined && { replaces }),
        },
      },
      {
        progress: (text) => this.#note(text),
        account: ({ url, orders, registration }) => {
          if (url !== account.url) stageAccount(store, md.name, { ...account, url, orders, registration })
        },
        setUp: (challenge) => answers.setUp(challenge),
        tearDown: (challenge) => answers.tearDown(challenge),
      },
      signal,
    )
    if (result.type === 'failed') return failure(result.problem?.type ?? '', result.message, result.retryAfter)
    if (result.type !== 'chain') return failure('', 'the ACME client sent no certificate')
    const text = result.chain.join('')
    if (chainIn(text)?.[0].checkPrivateKey(key) !== true) return failure('', 'Certificate and private key do not match.')
    this.#note(`Saving new ${title} certificate chain.`)
    store.writeText('staging', md.name, keyFileName(spec, 'pubcert'), text)
    return undefined
  }

  #reach(authority: string): Reach | string {
    try {
      return this.#parts.reachOf(authority, this.#md)
    } catch (error) {
      return `a file of authorities cannot be read: ${error instanceof Error ? error.message : String(error)}`
    }
  }

  /** The key is kept before the certificate is ordered, so that a later attempt finds it. */
  async #newKey(spec: KeySpec): Promise<KeyObject> {
    const key = await generateKey(spec)
    this.#parts.registry.store.writeKey('staging', this.#md.name, keyFileName(spec, 'privkey'), key)
    return key
  }

  async #account(authority: string): Promise<Account> {
    const md = this.#md
    const { store } = this.#parts.registry
    const staged = stagedAccount(store, md.name)
    const known = staged?.authority === authority ? staged : findAccount(store, md, authority)
    if (known !== undefined) return known
    const binding = md.binding === undefined || md.binding.kid === 'none' ? undefined : md.binding
    return {
      id: '',
      url: '',
      authority,
      key: (await generate('rsa', { modulusLength: ACCOUNT_BITS })).privateKey,
      contacts: md.contacts,
      orders: '',
      binding,
      registration: undefined,
    }
  }

  #note(text: string): void {
    this.#job.note('progress', text)
    this.#parts.log.write(null, 'debug', '', `${this.#md.name}: ${text}`)
  }
}

function caOf(md: ManagedDomain): Readonly<Record<string, unknown>> {
  const { ca } = domainJson(md)
  return typeof ca === 'object' && ca !== null ? { ...ca } : {}
}

function failure(problem: string, detail: string, retryAfter = 0): RenewalResult {
  return { kind: 'failed', problem, detail, retryAfter }
}
