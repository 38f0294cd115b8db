import { AcmeFailure } from './acme-failure.ts'
import { type JsonObject, parseObject, textOf } from './json-fields.ts'
import { externalBinding } from './jws.ts'
import type { AcmeSession } from './session.ts'

/** An account that a customer has with the CA. */
export interface ExternalBinding {
  readonly kid: string
  /** The key of the MAC, in Base64 for URLs. */
  readonly hmac: string
}

/** What an account is registered with. */
export interface AccountPlan {
  /** URL of the account if it exists; '' otherwise. */
  readonly url: string
  /** `mailto:admin@example.org`. */
  readonly contacts: readonly string[]
  /** True when the operator has accepted the terms of service. */
  readonly agreed: boolean
  readonly binding?: ExternalBinding
}

/** An account as the CA has it. */
export interface AccountState {
  readonly url: string
  /** URL of its list of orders; '' without. */
  readonly orders: string
  /** What the CA answered. */
  readonly registration: JsonObject
  /** False for an account that existed. */
  readonly isNew: boolean
}

/** Finds the account, or registers it. A known one that the CA has forgotten is registered again. @throws AcmeFailure */
export async function openAccount(session: AcmeSession, plan: AccountPlan): Promise<AccountState> {
  if (plan.url !== '') {
    const known = await verify(session, plan.url)
    if (known !== null) return known
  }
  return await register(session, plan)
}

async function verify(session: AcmeSession, url: string): Promise<AccountState | null> {
  session.account = url
  try {
    const reply = await session.post(url, {})
    const registration = parseObject(reply.body, url)
    if (textOf(registration, 'status') === 'valid')
      return { url, orders: textOf(registration, 'orders'), registration, isNew: false }
  } catch (error) {
    if (!(error instanceof AcmeFailure) || error.problem === null || !isForgotten(error)) throw error
  }
  session.account = ''
  return null
}

function isForgotten({ kind, problem }: AcmeFailure): boolean {
  // Pebble calls a request of an unknown account malformed.
  return ['accountDoesNotExist', 'unauthorized', 'malformed'].includes(kind) || problem?.status === 404
}

async function register(session: AcmeSession, plan: AccountPlan): Promise<AccountState> {
  const { newAccount, termsOfService } = session.directory
  if (termsOfService !== '' && !plan.agreed) {
    throw new AcmeFailure(
      `the CA requires you to accept the terms-of-service as specified in <${termsOfService}>. Please read the document that you find at that URL and, if you agree to the conditions, configure "MDCertificateAgreement accepted" in your Apache. Then (graceful) restart the server to activate.`,
    )
  }
  const payload: Record<string, unknown> = { contact: plan.contacts }
  if (plan.agreed) payload.termsOfServiceAgreed = true
  if (plan.binding !== undefined) payload.externalAccountBinding = bindingOf(session, newAccount, plan.binding)
  const reply = await session.post(newAccount, payload)
  const url = reply.field('location')
  if (url === '') throw new AcmeFailure('new acct without location')
  const registration = parseObject(reply.body, newAccount)
  session.account = url
  return { url, orders: textOf(registration, 'orders'), registration, isNew: reply.status === 201 }
}

function bindingOf(session: AcmeSession, url: string, { kid, hmac }: ExternalBinding): unknown {
  const secret = Buffer.from(hmac, 'base64url')
  if (!/^[\w+/-]+={0,2}$/.test(hmac) || secret.length === 0) {
    throw new AcmeFailure('external account binding HMAC value is not valid base64', {
      type: 'apache:eab-hmac-invalid',
      detail: 'external account binding HMAC value is not valid base64',
      status: 0,
    })
  }
  return externalBinding(session.key, url, kid, secret)
}
