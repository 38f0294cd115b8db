import {
  type Command,
  contexts,
  type DirectiveTable,
  type DirectoryDirective,
  directive,
  type SetResult,
  type Text,
} from '@gatewright/api'
import { leadingInteger } from '@gatewright/api/text'
import type { FieldNames, FormConfig } from './config.ts'

const common = { scope: 'directory', context: contexts.inSections, override: 'AuthConfig' } as const

export const directives: DirectiveTable<FormConfig, undefined> = {
  AuthFormProvider: directive.iterate({
    ...common,
    help: 'specify the auth providers for a directory or location',
    set: addProvider,
  }),
  AuthFormUsername: fieldName('user', 'The field of the login form carrying the username'),
  AuthFormPassword: fieldName('password', 'The field of the login form carrying the password'),
  AuthFormLocation: fieldName('location', 'The field of the login form carrying the URL to redirect on successful login.'),
  AuthFormMethod: fieldName('method', 'The field of the login form carrying the original request method.'),
  AuthFormMimetype: fieldName('mimetype', 'The field of the login form carrying the original request mimetype.'),
  AuthFormBody: fieldName('body', 'The field of the login form carrying the urlencoded original request body.'),
  AuthFormSize: directive.take1({
    scope: 'directory',
    context: ['directory'],
    help: 'Maximum size of body parsed by the form parser',
    set: (config: FormConfig, word) => {
      const size = leadingInteger(word)
      if (size < 0 || size === Number.MAX_SAFE_INTEGER) return 'AuthCookieFormSize must be a size in bytes, or zero.'
      config.size = size
      return undefined
    },
  }),
  AuthFormLoginRequiredLocation: directive.take1({
    ...common,
    help: 'If set, redirect the browser to this URL rather than return 401 Not Authorized.',
    set: (config: FormConfig, word, command) => {
      const text = locationOf('login required', word, command)
      if (typeof text === 'string') return text
      config.loginRequired = text
      return undefined
    },
  }),
  AuthFormLoginSuccessLocation: directive.take1({
    ...common,
    help: 'If set, redirect the browser to this URL when a login processed by the login handler is successful.',
    set: (config: FormConfig, word, command) => {
      const text = locationOf('login success', word, command)
      if (typeof text === 'string') return text
      config.loginSuccess = text
      return undefined
    },
  }),
  AuthFormLogoutLocation: directive.take1({
    ...common,
    help: 'The URL of the logout successful page. An attempt to access an URL handled by the handler form-logout-handler will result in an redirect to this page after logout.',
    set: (config: FormConfig, word, command) => {
      const text = locationOf('logout required', word, command)
      if (typeof text === 'string') return text
      config.logout = text
      return undefined
    },
  }),
  AuthFormSitePassphrase: directive.take1({
    ...common,
    help: 'If set, use this passphrase to determine whether the user should be authenticated. Bypasses the user authentication check on every website hit, and is useful for high traffic sites.',
    set: (config: FormConfig, word) => {
      config.sitePassphrase = word
    },
  }),
  AuthFormAuthoritative: directive.flag({
    ...common,
    help: "Set to 'Off' to allow access control to be passed along to lower modules if the UserID is not known to this module",
    set: (config: FormConfig, on) => {
      config.authoritative = on
    },
  }),
  AuthFormFakeBasicAuth: directive.flag({
    ...common,
    help: "Set to 'On' to pass through authentication to the rest of the server as a basic authentication header.",
    set: (config: FormConfig, on) => {
      config.fakeBasic = on
    },
  }),
  AuthFormDisableNoStore: directive.flag({
    ...common,
    help: "Set to 'on' to stop the sending of a Cache-Control no-store header with the login screen. This allows the browser to cache the credentials, but at the risk of it being possible for the login form to be resubmitted and revealed to the backend server through XSS. Use at own risk.",
    set: (config: FormConfig, on) => {
      config.disableNoStore = on
    },
  }),
  AuthFormLocationHosts: directive.iterate({
    ...common,
    help: 'other hosts to which the Location field of a login form may lead, or * for all',
    set: (config: FormConfig, word) => {
      config.locationHosts = [...(config.locationHosts ?? []), word.toLowerCase()]
    },
  }),
}

function fieldName(field: keyof FieldNames, help: string): DirectoryDirective<FormConfig, 'take1'> {
  return directive.take1({
    ...common,
    help,
    set: (config: FormConfig, word, command) => {
      if (word === '' || /[=&]/.test(word)) return `${command.name} cannot be empty, or contain '=' or '&'.`
      config.names = { ...config.names, [field]: word }
      return undefined
    },
  })
}

function locationOf(what: string, word: string, command: Command): Text | string {
  const text = command.services.text(word, command)
  return 'error' in text ? `Could not parse ${what} expression '${word}': ${text.error}` : text
}

function addProvider(config: FormConfig, name: string, command: Command): SetResult {
  const provider = command.services.providers.authn.get(name)
  if (provider === undefined) return `Unknown Authn provider: ${name}`
  if (provider.checkPassword === undefined) return `The '${name}' Authn provider doesn't support Form Authentication`
  config.providers = [...(config.providers ?? []), provider]
  return undefined
}
