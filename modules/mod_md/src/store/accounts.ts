import type { KeyObject } from 'node:crypto'
import type { ManagedDomain } from '../domains/managed-domain.ts'
import type { Group, Store } from './store.ts'

const FILE = 'account.json'
const KEY_FILE = 'account.pem'

/** An account at a CA, with its key. */
export interface Account {
  /** Its folder in `accounts`; '' for one that is staged. */
  readonly id: string
  /** Its URL. */
  readonly url: string
  /** URL of the CA's directory. */
  readonly authority: string
  readonly key: KeyObject
  readonly contacts: readonly string[]
  readonly orders: string
  readonly binding: { readonly kid: string; readonly hmac: string } | undefined
  readonly registration: Readonly<Record<string, unknown>> | undefined
}

/** The account that a domain uses at a CA: that of the same CA and of the same external account. */
export function findAccount(store: Store, md: ManagedDomain, authority: string): Account | undefined {
  const own = md.account === undefined ? undefined : read(store, 'accounts', md.account)
  if (own !== undefined && suits(own, md, authority)) return own
  for (const id of store.names('accounts')) {
    const account = read(store, 'accounts', id)
    if (account !== undefined && suits(account, md, authority)) return account
  }
  return undefined
}

/** The account that was registered for the certificate that waits for its activation. */
export function stagedAccount(store: Store, name: string): Account | undefined {
  return read(store, 'staging', name)
}

/** Keeps a new account until the activation. */
export function stageAccount(store: Store, name: string, account: Account): void {
  store.writeJson('staging', name, FILE, {
    ...accountJson(account),
    ...(account.registration && { registration: account.registration }),
  })
  store.writeKey('staging', name, KEY_FILE, account.key)
}

/** Saves a staged account. @returns its folder, which is that of an account with the same URL if there is one */
export function saveAccount(store: Store, md: ManagedDomain, account: Account): string {
  const known = store.names('accounts').find((id) => read(store, 'accounts', id)?.url === account.url)
  const id = known ?? freeId(store, account.authority)
  store.writeJson('accounts', id, FILE, accountJson(account))
  store.writeKey('accounts', id, KEY_FILE, account.key)
  md.account = id
  return id
}

function freeId(store: Store, authority: string): string {
  const host = (URL.parse(authority)?.hostname ?? 'unknown').replace(/[^A-Za-z0-9.-]/g, '_')
  for (let number = 0; number < 1000; number++) {
    const id = `ACME-${host}-${String(number).padStart(4, '0')}`
    if (!store.has('accounts', id, FILE)) return id
  }
  throw new Error(`the store has no number left for accounts at ${host}`)
}

function accountJson({ url, authority, contacts, orders, binding }: Account): Record<string, unknown> {
  return {
    status: 'valid',
    url,
    'ca-url': authority,
    contact: contacts,
    ...(orders !== '' && { orders }),
    ...(binding !== undefined && { eab: binding }),
  }
}

function suits({ authority, binding }: Account, md: ManagedDomain, wanted: string): boolean {
  if (authority !== wanted) return false
  const asked = md.binding === undefined || md.binding.kid === 'none' ? undefined : md.binding
  return asked === undefined ? binding === undefined : binding?.kid === asked.kid && binding.hmac === asked.hmac
}

function read(store: Store, group: Group, id: string): Account | undefined {
  const json = store.readJson(group, id, FILE)
  if (json === undefined || json.status !== 'valid') return undefined
  const { url, 'ca-url': authority, contact, orders, eab } = json
  const key = quietly(() => store.readKey(group, id, KEY_FILE))
  if (typeof url !== 'string' || typeof authority !== 'string' || key === undefined) return undefined
  return {
    id: group === 'accounts' ? id : '',
    url,
    authority,
    key,
    contacts: Array.isArray(contact) ? contact.filter((one) => typeof one === 'string') : [],
    orders: typeof orders === 'string' ? orders : '',
    binding: bindingIn(eab),
    registration: undefined,
  }
}

function bindingIn(eab: unknown): Account['binding'] {
  if (typeof eab !== 'object' || eab === null || !('kid' in eab) || !('hmac' in eab)) return undefined
  return typeof eab.kid === 'string' && typeof eab.hmac === 'string' ? { kid: eab.kid, hmac: eab.hmac } : undefined
}

function quietly<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}
