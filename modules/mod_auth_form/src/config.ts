import type { AuthnProvider, Text } from '@gatewright/api'

/** The names of the fields of a login form. */
export interface FieldNames {
  readonly user: string
  readonly password: string
  readonly location: string
  readonly method: string
  readonly mimetype: string
  readonly body: string
}

/** Configuration of one section, or of several merged ones. undefined means not set. */
export interface FormConfig {
  /** AuthFormProvider, in order. */
  providers?: readonly AuthnProvider[]
  authoritative?: boolean
  /** AuthFormUsername to AuthFormBody. */
  names?: Partial<FieldNames>
  /** AuthFormSize, in bytes. */
  size?: number
  /** AuthFormLoginRequiredLocation. */
  loginRequired?: Text
  /** AuthFormLoginSuccessLocation. */
  loginSuccess?: Text
  /** AuthFormLogoutLocation. */
  logout?: Text
  /** AuthFormSitePassphrase. */
  sitePassphrase?: string
  /** AuthFormFakeBasicAuth. */
  fakeBasic?: boolean
  /** AuthFormDisableNoStore. */
  disableNoStore?: boolean
  /** AuthFormLocationHosts, in lower case; `*` for all. */
  locationHosts?: readonly string[]
}

export const STANDARD_NAMES: FieldNames = {
  user: 'httpd_username',
  password: 'httpd_password',
  location: 'httpd_location',
  method: 'httpd_method',
  mimetype: 'httpd_mimetype',
  body: 'httpd_body',
}

/** In bytes. */
export const STANDARD_SIZE = 8192

export function mergeFormConfig(base: Readonly<FormConfig>, over: Readonly<FormConfig>): FormConfig {
  return {
    ...withoutUnset(base),
    ...withoutUnset(over),
    names: over.names === undefined ? base.names : { ...base.names, ...over.names },
  }
}

function withoutUnset(config: Readonly<FormConfig>): FormConfig {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined))
}
