import type { ModuleHost, Server } from '@gatewright/api'
import { createServerSettings } from '../merge.ts'
import type { AuthenticationSettings, ProxySettings, SectionSettings, ServerSettings } from '../settings.ts'

/** Everything that a server is configured with, its inheritance from the main server included. */
export interface EffectiveSettings {
  readonly server: Readonly<ServerSettings>
  readonly authentication: Readonly<AuthenticationSettings>
  readonly proxy: Readonly<ProxySettings>
  /** True where connections are secured. */
  readonly isOn: boolean
  /** `NAME:PORT`, by which messages and SSLPassPhraseDialog name it. */
  readonly id: string
}

/** The settings of all servers, once the configuration is bound. */
export function effectiveSettings(
  host: ModuleHost<SectionSettings, ServerSettings>,
  servers: readonly Server[],
): ReadonlyMap<Server, EffectiveSettings> {
  return new Map(
    servers.map((server): [Server, EffectiveSettings] => {
      const section = host.defaultsOf(server)
      // A configuration without a directive of this kind has no object.
      const settings = (host.serverConfigOf(server) as Readonly<ServerSettings> | undefined) ?? createServerSettings()
      const { engine, certificateFiles } = settings
      const isOn = engine === 'on' || (engine === undefined && server.protocol === 'https' && certificateFiles.length > 0)
      return [
        server,
        {
          server: settings,
          authentication: section.server,
          proxy: section.proxy,
          isOn,
          id: `${server.serverName}:${portOf(server, settings)}`,
        },
      ]
    }),
  )
}

/** httpd names a server before it finds out that `Listen ADDRESS https` turns TLS on. */
function portOf({ serverPort }: Server, { engine }: Readonly<ServerSettings>): number {
  return serverPort !== 0 ? serverPort : engine === 'on' ? 443 : 80
}
