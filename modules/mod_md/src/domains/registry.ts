import { generateKeyPairSync } from 'node:crypto'
import type { ModuleHost, RetainedData, Server, StartContext } from '@gatewright/api'
import type { CertificateFiles } from '@gatewright/api/peers'
import { issueCertificate, pemText } from '@gatewright/x509'
import { run } from '../command-line.ts'
import { type KeySpec, keyFileName, keyName, nodeCurve } from '../key-specs.ts'
import type { MdSettings, ProcessSettings } from '../settings.ts'
import { activateStaged, assess, followRenames, saveDomain } from '../store/activate.ts'
import { Job } from '../store/job.ts'
import { Store, type WorkerOwner } from '../store/store.ts'
import { assemble, settingsOfServer } from './assemble.ts'
import { possibleChallenges } from './challenge-types.ts'
import { checkDomains, checkSecuredServers, checkUse, coverServers } from './checks.ts'
import { type DomainsOfServers, linkServers } from './link.ts'
import { keysOf, type ManagedDomain, renews } from './managed-domain.ts'

const VERSION = '2.6.10'
const FALLBACK_NAME = 'Apache Managed Domain Fallback'
const FALLBACK_DAYS = 14
/** Milliseconds that the program for `installed` may take: the start waits for it. */
const INSTALLED_PATIENCE = 15_000
/** Files that a tool cannot see: they are made at the start, or another user owns them. */
const NOT_SEEN: CertificateFiles = { certificates: [], keys: [] }

/** The name of the store's key among what processes of the server keep. */
const STORE_KEY = 'mod_md.c:key'

/** The managed domains of a configuration, from postConfig on. */
export class Registry {
  readonly process: Readonly<ProcessSettings>
  readonly domains: readonly ManagedDomain[]
  readonly store: Store
  /** Whether the CA can reach the server on port 80, and on port 443. */
  readonly canHttp: boolean
  readonly canHttps: boolean
  /** Domains whose configuration lets no certificate be obtained, with the reason. */
  readonly initErrors: Map<string, string> = new Map()
  readonly #host: ModuleHost<undefined, MdSettings>
  readonly #servers: readonly Server[]
  readonly #linked: DomainsOfServers
  readonly #secured = new Set<Server>()
  readonly #demanding: ReadonlySet<Server>
  readonly #isFirst: boolean
  /** True for a tool. */
  readonly #changesNothing: boolean

  /**
   * What happens before mod_ssl reads certificates: checks, and the activation of certificates that were obtained
   * meanwhile. Only the first process of a start changes the store.
   * @throws DomainsRefused when it is logged what is wrong; the system's error when the store cannot be written
   */
  constructor(host: ModuleHost<undefined, MdSettings>, start: StartContext, owner: WorkerOwner | null) {
    const { process, domains } = assemble(host, start.servers)
    this.process = process
    this.domains = domains
    this.#host = host
    this.#servers = start.servers
    this.#isFirst = start.isFirst
    if (start.isFirst) host.log.write(null, 'info', 'AH10071', `mod_md (v${VERSION}), initializing...`)
    checkDomains(domains, process, host.log)
    const listens = (port: number): boolean => start.listeners.some((one) => one.port === port && one.protocol.startsWith('http'))
    this.canHttp = listens(process.localHttp)
    this.canHttps = listens(process.localHttps)
    const path = start.serverRelative(process.storeDir)
    this.#changesNothing = start.checkOnly
    const isUsed = start.isFirst || (domains.length > 0 && !start.checkOnly)
    this.store = isUsed ? openStore(path, owner, start, host.services.retained) : Store.closed(path)
    this.#linked = linkServers(host, domains, start.servers, process)
    const demanding = domains.filter(({ requireHttps }) => requireHttps !== 'off')
    this.#demanding = new Set(demanding.flatMap(({ servers }) => servers))
    if (start.isFirst) this.#activate()
  }

  get version(): string {
    return VERSION
  }

  /** True in the process that has tried to activate what was staged. */
  get hasActivated(): boolean {
    return this.#isFirst
  }

  /** The domains that a server uses. */
  of(server: Server): readonly ManagedDomain[] {
    return this.#linked.get(server) ?? []
  }

  /** Whether MDRequireHttps applies to a domain of a server. */
  demandsHttps(server: Server): boolean {
    return this.#demanding.has(server)
  }

  /** The domain that a name belongs to. */
  byName(name: string): ManagedDomain | undefined {
    const lower = name.toLowerCase()
    return (
      this.domains.find(({ domains }) => domains.includes(lower)) ??
      this.domains.find(({ domains }) => domains.some((one) => wildcardMatches(one, lower)))
    )
  }

  /** Asked by mod_ssl for each secured server. */
  certificateFiles(server: Server): CertificateFiles | null {
    this.#secured.add(server)
    const md = this.#onlyDomain(server)
    if (md === undefined) return null
    if (md.certificateFiles.length > 0) return { certificates: md.certificateFiles, keys: md.keyFiles }
    return this.#changesNothing && this.store.isHidden('domains') ? NOT_SEEN : this.#files(md, '')
  }

  /** Asked by mod_ssl for a server without any certificate. */
  fallbackFiles(server: Server): CertificateFiles | null {
    const md = this.#onlyDomain(server)
    if (md === undefined || md.certificateFiles.length > 0) return null
    if (this.#changesNothing) return this.#files(md, 'fallback-') ?? NOT_SEEN
    for (const spec of keysOf(md)) this.#makeFallback(md, spec)
    return this.#files(md, 'fallback-')
  }

  /** Asked by mod_ssl: MDStapling for a domain, or for certificates of others (MDStapleOthers). */
  wantsStapling(server: Server): boolean {
    const md = this.#onlyDomain(server)
    if (md?.stapling === true) return true
    const { stapling, stapleOthers } = settingsOfServer(this.#host, server).own
    return stapling === true && stapleOthers !== false
  }

  /** What happens after mod_ssl has read certificates. @throws DomainsRefused */
  complete(): void {
    const { log } = this.#host
    const isSecured = (server: Server): boolean => this.#secured.has(server)
    checkSecuredServers(this.#linked, isSecured, log)
    for (const md of this.domains) {
      coverServers(md, this.#linked, isSecured, log)
      md.acmeTlsDomains = this.#acmeTlsDomains(md)
      const isUsed = checkUse(md, isSecured, log)
      assess(this.store, md)
      if (this.#isFirst) saveDomain(this.store, md)
      md.watched = isUsed || md.renewMode === 'always'
      if (!md.watched || !renews(md)) continue
      const found = possibleChallenges(this, md)
      if (typeof found !== 'string') continue
      this.initErrors.set(md.name, found)
      if (this.#isFirst) log.write(null, 'error', 'AH10173', `md[${md.name}]: ${found}`)
    }
    if (this.#isFirst) this.#removeOldChallenges()
  }

  /** Runs the program of the operator for what was activated, with the privileges of the start. */
  async announceInstalled(): Promise<void> {
    const { messageCommand } = this.process
    const names = this.#installed.splice(0)
    if (messageCommand === undefined) return
    await Promise.all(
      names.map(async (name) => {
        const job = Job.load(this.store, name, 'domains')
        const status = await run(messageCommand, ['installed', name], INSTALLED_PATIENCE)
        if (status === 0) job.note('message-installed')
        else {
          const text = `MDMessageCmd ${messageCommand.text} failed with exit code ${status}.`
          this.#host.log.write(null, 'error', 'AH10109', text)
          job.note('message-error', text, 'installed')
        }
        job.save('domains')
      }),
    )
  }

  readonly #installed: string[] = []

  #activate(): void {
    const { log } = this.#host
    followRenames(this.store, this.domains)
    for (const md of this.domains) {
      try {
        if (!activateStaged(this.store, md, Date.now())) continue
        this.#installed.push(md.name)
        log.write(null, 'info', 'AH10068', `${md.name}: staged set activated`)
      } catch (error) {
        // httpd purges the set. It would be ordered again at each start, which CAs limit.
        const reason = error instanceof Error ? error : undefined
        log.write(null, 'error', 'AH10069', `${md.name}: error loading staged set, which is kept`, reason)
      }
    }
  }

  #onlyDomain(server: Server): ManagedDomain | undefined {
    const assigned = this.of(server)
    return assigned.length === 1 ? assigned[0] : undefined
  }

  #files(md: ManagedDomain, prefix: '' | 'fallback-'): CertificateFiles | null {
    const found = keysOf(md).flatMap((spec) => {
      const [key, chain] = [`${prefix}${keyFileName(spec, 'privkey')}`, `${prefix}${keyFileName(spec, 'pubcert')}`]
      const isThere = this.store.has('domains', md.name, key) && this.store.has('domains', md.name, chain)
      return isThere ? [{ key: this.store.file('domains', md.name, key), chain: this.store.file('domains', md.name, chain) }] : []
    })
    if (found.length === 0) return null
    return { certificates: found.map(({ chain }) => chain), keys: found.map(({ key }) => key) }
  }

  #makeFallback(md: ManagedDomain, spec: KeySpec): void {
    const [keyFile, chainFile] = [`fallback-${keyFileName(spec, 'privkey')}`, `fallback-${keyFileName(spec, 'pubcert')}`]
    if (this.store.has('domains', md.name, keyFile) && this.store.has('domains', md.name, chainFile)) return
    const { privateKey: key } =
      spec.kind === 'ec'
        ? generateKeyPairSync('ec', { namedCurve: nodeCurve(spec.curve) ?? 'prime256v1' })
        : generateKeyPairSync('rsa', { modulusLength: spec.kind === 'rsa' ? spec.bits : 2048 })
    const now = Date.now()
    const der = issueCertificate({
      key,
      subject: [['CN', FALLBACK_NAME]],
      hosts: md.domains,
      notBefore: new Date(now),
      notAfter: new Date(now + FALLBACK_DAYS * 86_400_000),
    })
    this.store.writeKey('domains', md.name, keyFile, key)
    this.store.writeText('domains', md.name, chainFile, pemText('CERTIFICATE', der))
    this.#host.log.write(null, 'debug', 'AH10116', `${md.name}: providing ${keyName(spec)} fallback certificate`)
  }

  /** Names for which a secured server of port 443 speaks acme-tls/1. */
  #acmeTlsDomains(md: ManagedDomain): readonly string[] {
    const isConfigured = md.challenges?.includes('tls-alpn-01') === true
    if (!isConfigured && !this.canHttps) return []
    const { localHttps } = this.process
    const onPort = ({ addresses }: Server): boolean => addresses.length > 0 && addresses.every(({ port }) => port === localHttps)
    return md.domains.filter((name) =>
      md.servers.some(
        (server) =>
          this.#secured.has(server) &&
          (isConfigured || !server.isVirtual || localHttps === 0 || onPort(server)) &&
          [server.serverName.toLowerCase(), ...server.aliases].includes(name) &&
          server.protocols.includes('acme-tls/1'),
      ),
    )
  }

  #removeOldChallenges(): void {
    for (const name of this.store.names('challenges')) {
      if (this.byName(name) === undefined) this.store.purge('challenges', name)
    }
  }

  /** All servers, the main one first. */
  get servers(): readonly Server[] {
    return this.#servers
  }
}

function wildcardMatches(pattern: string, name: string): boolean {
  const dot = name.indexOf('.')
  return pattern.startsWith('*.') && dot > 0 && pattern.slice(1) === name.slice(dot)
}

/** A process that follows needs nothing of the disk, where the store may be damaged by now. */
function openStore(path: string, owner: WorkerOwner | null, { isFirst }: StartContext, retained: RetainedData): Store {
  const key = isFirst ? undefined : retained.get(STORE_KEY)
  if (key !== undefined) return Store.reopen(path, key, owner)
  const store = Store.open(path, owner)
  if (isFirst) retained.set(STORE_KEY, store.key)
  return store
}
