import { type DirectiveTable, directive } from '@gatewright/api'
import { readClientKey } from './client-keys.ts'
import type { OpenIdConfig, OpenIdServerConfig } from './config.ts'
import { inServers, word } from './directive-rows.ts'
import { Passphrase, readSecret } from './pass-phrase.ts'

/** This server as a client of the provider. */
export const clientDirectives: DirectiveTable<OpenIdConfig, OpenIdServerConfig> = {
  OIDCClientID: word('the id of this client at the provider', (config, value) => {
    config.clientId = value
  }),
  OIDCClientSecret: directive.take1({
    ...inServers,
    help: 'the secret of this client, or exec: and a command that prints it',
    set: (config: OpenIdServerConfig, text, command) => {
      const read = readSecret(text, command)
      if (typeof read === 'string') return read
      config.clientSecret = read.secret
      return undefined
    },
  }),
  OIDCPrivateKeyFiles: directive.iterate({
    ...inServers,
    help: 'files with private keys of this client, for private_key_jwt; KID# before one names the key',
    set: (config: OpenIdServerConfig, text, command) => {
      const read = readClientKey(text, command)
      if (typeof read === 'string') return read
      config.privateKeys = [...(config.privateKeys ?? []), read]
      return undefined
    },
  }),
  OIDCRedirectURI: directive.take1({
    ...inServers,
    help: 'the URL, or the path, to which the provider sends users back; there must be no content at it',
    set: (config: OpenIdServerConfig, text) => {
      const isPath = text.startsWith('/') && !text.startsWith('//') && !/[?#\s]/.test(text)
      const parsed = isPath ? null : URL.parse(text)
      const isUrl = parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.search === '' && parsed.hash === ''
      if (!isPath && !isUrl) return `OIDCRedirectURI: '${text}' must be a URL or a path, without a query`
      config.redirectUri = parsed?.href ?? text
      return undefined
    },
  }),
  OIDCCryptoPassphrase: directive.take1({
    ...inServers,
    help: 'the secret that encrypts cookies and sessions, or exec: and a command that prints it',
    set: (config: OpenIdServerConfig, text, command) => {
      const read = readSecret(text, command)
      if (typeof read === 'string') return read
      config.passphrase = new Passphrase(read.secret)
      return undefined
    },
  }),
  OIDCScope: directive.take1({
    ...inServers,
    help: 'the scopes to ask for, with openid among them',
    set: (config: OpenIdServerConfig, text) => {
      if (!text.split(/\s+/).includes('openid')) return `OIDCScope: '${text}' must contain openid`
      config.scope = text
      return undefined
    },
  }),
  OIDCAuthRequestParams: word('more parameters for the provider, as a query: display=popup&prompt=consent', (config, value) => {
    config.authRequestParams = value
  }),
  OIDCPKCEMethod: directive.take1({
    ...inServers,
    help: 'S256, or none for a provider that does not know PKCE',
    set: (config: OpenIdServerConfig, text) => {
      if (text !== 'S256' && text !== 'none') return `OIDCPKCEMethod: '${text}' must be S256 or none`
      config.pkce = text
      return undefined
    },
  }),
  OIDCResponseType: directive.take1({
    ...inServers,
    help: 'code',
    set: (_config: OpenIdServerConfig, text) =>
      text === 'code'
        ? undefined
        : `OIDCResponseType '${text}' is not supported: only code is, because the other flows send tokens through browsers`,
  }),
  OIDCResponseMode: directive.take1({
    ...inServers,
    help: 'query',
    set: (_config: OpenIdServerConfig, text) =>
      text === 'query' ? undefined : `OIDCResponseMode '${text}' is not supported: only query is, which the code flow uses`,
  }),
}
