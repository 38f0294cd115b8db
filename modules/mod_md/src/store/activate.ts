import { domainJson, keysOf, type ManagedDomain, STATES } from '../domains/managed-domain.ts'
import { DEFAULT_KEYS, keyFileName, keyName } from '../key-specs.ts'
import { findAccount, saveAccount, stagedAccount } from './accounts.ts'
import { certificatesOf, mismatch, readCredentials } from './credentials.ts'
import { Job } from './job.ts'
import type { Store } from './store.ts'

/**
 * Moves certificates that were obtained meanwhile from `staging` to `domains`, with the privileges of the start;
 * what was in use goes to `archive`. A set that is not complete, or does not match, stays where it is.
 * @returns false when there is nothing to activate
 * @throws Error when files cannot be moved; then what was in use still is
 */
export function activateStaged(store: Store, md: ManagedDomain, now: number): boolean {
  const staged = store.readJson('staging', md.name, 'md.json')
  if (staged === undefined) return false
  const job = Job.load(store, md.name)
  if (!job.finished || job.validFrom > now) return false
  const credentials = keysOf(md).map((spec) => ({ spec, found: readCredentials(store, 'staging', md.name, spec) }))
  if (credentials.some(({ found }) => found === undefined)) return false

  const { ca } = staged
  const url = typeof ca === 'object' && ca !== null && 'url' in ca && typeof ca.url === 'string' ? ca.url : md.authorities[0]
  md.authority = url
  const account = stagedAccount(store, md.name)
  md.account = account === undefined ? findAccount(store, md, url)?.id : saveAccount(store, md, account)

  store.purge('tmp', md.name)
  store.writeJson('tmp', md.name, 'md.json', domainJson(md))
  for (const { spec, found } of credentials) {
    if (found === undefined) continue
    store.writeKey('tmp', md.name, keyFileName(spec, 'privkey'), found.key)
    store.writeText('tmp', md.name, keyFileName(spec, 'pubcert'), found.chain)
  }
  job.save('tmp')
  store.replaceDomain(md.name)
  store.purge('staging', md.name)
  for (const domain of md.domains) store.purge('challenges', domain.replace(/^\*\./, ''))
  return true
}

/** Reads what is in use, and judges it. */
export function assess(store: Store, md: ManagedDomain): void {
  const kept = store.readJson('domains', md.name, 'md.json')
  const ca = kept?.ca
  if (typeof ca === 'object' && ca !== null) {
    if ('url' in ca && typeof ca.url === 'string') md.authority ??= ca.url
    if ('account' in ca && typeof ca.account === 'string') md.account ??= ca.account
  }
  if (md.contacts.length === 0 && Array.isArray(kept?.contacts)) {
    md.contacts = kept.contacts.filter((contact) => typeof contact === 'string')
  }
  if (md.certificateFiles.length > 0 && md.renewMode === 'auto') md.renewMode = 'manual'
  md.certificates = certificatesOf(md, store)
  md.state = STATES.complete
  md.stateText = undefined
  for (const [index, stored] of md.certificates.entries()) {
    const name = keyName(keysOf(md)[index] ?? DEFAULT_KEYS[0])
    const problem = stored === undefined ? `certificate(${name}) is missing` : mismatch(md, name, stored.certificate)
    if (problem === undefined) continue
    md.state = STATES.incomplete
    md.stateText = problem
    return
  }
}

/** Writes md.json when it says something else than before. */
export function saveDomain(store: Store, md: ManagedDomain): void {
  const json = JSON.stringify(domainJson(md), null, 2)
  if (readQuietly(store, md.name) !== json) store.writeText('domains', md.name, 'md.json', json)
}

function readQuietly(store: Store, name: string): string | undefined {
  try {
    return store.readText('domains', name, 'md.json')
  } catch {
    return undefined
  }
}

/**
 * Finds domains that were known under another name: the folder whose names overlap most with those of a domain that
 * has none.
 */
export function followRenames(store: Store, domains: readonly ManagedDomain[]): void {
  const known = new Set(store.names('domains'))
  const added = domains.filter(({ name }) => !known.has(name))
  const left = [...known].filter((name) => !domains.some((md) => md.name === name))
  for (const md of added) {
    const candidates = left.map((name) => ({ name, names: namesIn(store, name) }))
    const whole = candidates.find(({ names }) => md.domains.every((domain) => names.includes(domain)))
    const best =
      whole ??
      candidates.reduce<{ name: string; count: number } | undefined>((found, { name, names }) => {
        const count = md.domains.filter((domain) => names.includes(domain)).length
        return count > (found?.count ?? 0) ? { name, count } : found
      }, undefined)
    if (best === undefined) continue
    store.rename('domains', best.name, md.name)
    store.rename('staging', best.name, md.name)
    left.splice(left.indexOf(best.name), 1)
  }
}

function namesIn(store: Store, name: string): readonly string[] {
  const names = store.readJson('domains', name, 'md.json')?.domains
  return Array.isArray(names) ? names.filter((one) => typeof one === 'string') : []
}
