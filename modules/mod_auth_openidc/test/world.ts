import { type AnyModule, DECLINED, defineModule, type Module } from '@gatewright/api'
import { site, type TestServer } from '@gatewright/testing'
import type { Test } from 'tap'
import authnCore from '../../mod_authn_core/src/index.ts'
import authzCore from '../../mod_authz_core/src/index.ts'
import authzUser from '../../mod_authz_user/src/index.ts'
import authOpenId from '../src/index.ts'
import { Browser } from './browser.ts'
import { TestProvider } from './test-provider.ts'

/** A handler that answers with what programs and backends would get: the user, the fields and the variables. */
export const echo: Module = defineModule({
  name: 'echo_all_module',
  source: 'mod_echo_all.c',
  register(host) {
    host.hooks.handler.add((request) =>
      request.handler === 'echo-all'
        ? request.sendJson({
            user: request.user,
            fields: Object.fromEntries(request.headersIn),
            env: Object.fromEntries(request.env),
          })
        : DECLINED,
    )
  },
})

/** What the handler answered. */
export interface Echoed {
  readonly user: string | null
  readonly fields: Readonly<Record<string, string>>
  readonly env: Readonly<Record<string, string>>
}

export function echoed({ body }: { readonly body: string }): Echoed {
  const value: Echoed = JSON.parse(Buffer.from(body, 'latin1').toString())
  return value
}

export interface World {
  readonly server: TestServer
  readonly provider: TestProvider
  readonly browser: Browser
}

interface Options {
  /** More lines of the server. */
  readonly lines?: string
  /** More lines of the protected section. */
  readonly section?: string
  /** Lines at the end. */
  readonly after?: string
  readonly modules?: readonly AnyModule[]
  /** More files. */
  readonly files?: Readonly<Record<string, string>>
}

export async function world(
  t: Test,
  { lines = '', section = '', after = '', modules = [], files = {} }: Options = {},
): Promise<World> {
  const provider = new TestProvider()
  await provider.start()
  t.teardown(() => provider.stop())
  const server = await site({
    modules: [authnCore, authzCore, authzUser, authOpenId, echo, ...modules],
    config: `LogLevel auth_openidc:info
OIDCProviderMetadataURL ${provider.url}/.well-known/openid-configuration
OIDCClientID web
OIDCClientSecret "secret of the client"
OIDCRedirectURI /callback
OIDCCryptoPassphrase "a passphrase of enough letters"
${lines.replaceAll('@PROVIDER@', provider.url)}
<Location "/">
AuthType openid-connect
Require valid-user
${section}
</Location>
<Location "/echo">
SetHandler echo-all
</Location>
<Location "/public">
AuthType None
Require all granted
SetHandler echo-all
</Location>
${after}`,
    files: { 'docs/f.txt': 'text', 'docs/private/f.txt': 'private', ...files },
  })
  t.teardown(() => server.close())
  return { server, provider, browser: new Browser(server) }
}
