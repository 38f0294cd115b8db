import { isIP } from 'node:net'
import type { ConnectionOptions, TLSSocket } from 'node:tls'
import type { ModuleHost, Request, Server } from '@gatewright/api'
import type { OutgoingTls } from '@gatewright/api/peers'
import type { ProxySettings, SectionSettings, ServerSettings } from '../settings.ts'
import type { EffectiveSettings } from '../start/effective-settings.ts'
import type { StartFiles } from '../start/start-files.ts'
import { StartLog } from '../start/start-log.ts'
import { StartRefused } from '../start/start-refused.ts'
import { type BackEndRules, readBackEndRules } from './back-end-rules.ts'
import { judgeBackEnd } from './judge-back-end.ts'
import { proxySectionsOf } from './proxy-sections.ts'

type Host = ModuleHost<SectionSettings, ServerSettings>

/** The connections to back ends that modules secure by SSLProxy*. */
export class OutgoingConnections {
  readonly #host: Host
  readonly #files: StartFiles
  readonly #ids: ReadonlyMap<Server, EffectiveSettings>
  /** By all settings, with the server: the same for all requests with the same settings. */
  readonly #rules: Map<string, BackEndRules>
  readonly #known: WeakMap<Readonly<ProxySettings>, BackEndRules>

  /** Reads the files of servers and of `<Proxy>` sections. @throws StartRefused when it is logged what is wrong */
  constructor(host: Host, settings: ReadonlyMap<Server, EffectiveSettings>, files: StartFiles) {
    this.#host = host
    this.#files = files
    this.#ids = settings
    this.#rules = new Map()
    this.#known = new WeakMap()
    for (const [server, { proxy }] of settings) {
      if (proxy.engine === true) this.#rulesOf(server, proxy)
      for (const section of proxySectionsOf(server)) {
        const merged = { ...proxy, ...section.proxy }
        if (merged.engine === true) this.#rulesOf(server, merged)
      }
    }
  }

  /** How the connections for a request are secured; null without SSLProxyEngine. */
  for(request: Request, hostname: string): OutgoingTls | null {
    const { server } = request
    const settings = this.#host.configOf(request)?.proxy
    if (settings?.engine !== true) {
      const id = this.#ids.get(server)?.id ?? server.serverName
      this.#host.log.write(server, 'debug', 'AH10272', `SSL Proxy requested for ${id} but not enabled for us.`)
      return null
    }
    let rules = this.#known.get(settings)
    if (rules === undefined) {
      try {
        rules = this.#rulesOf(server, settings)
      } catch (error) {
        // Sections that are complete only together; it is in the error log what is wrong.
        if (error instanceof StartRefused) return null
        throw error
      }
      this.#known.set(settings, rules)
    }
    return new BackEndTls(rules, hostname, this.#host, server)
  }

  #rulesOf(server: Server, settings: Readonly<ProxySettings>): BackEndRules {
    const id = this.#ids.get(server)?.id ?? server.serverName
    const values = Object.entries(settings).filter(([, value]) => value !== undefined)
    const identity = JSON.stringify([id, values.sort(([one], [other]) => (one < other ? -1 : 1))])
    let rules = this.#rules.get(identity)
    if (rules === undefined) {
      rules = readBackEndRules({ key: String(this.#rules.size), id, settings }, this.#files, new StartLog(this.#host.log, server))
      this.#rules.set(identity, rules)
    }
    return rules
  }
}

/** How the connections to one back end are secured. */
class BackEndTls implements OutgoingTls {
  readonly key: string
  readonly #rules: BackEndRules
  readonly #hostname: string
  readonly #host: Host
  readonly #server: Server

  constructor(rules: BackEndRules, hostname: string, host: Host, server: Server) {
    this.key = `${rules.key} ${hostname}`
    this.#rules = rules
    this.#hostname = hostname
    this.#host = host
    this.#server = server
  }

  options(): ConnectionOptions {
    const hostname = this.#hostname
    return {
      secureContext: this.#rules.context,
      servername: isIP(hostname) === 0 ? hostname : '',
      // `check` judges certificates.
      rejectUnauthorized: false,
      checkServerIdentity: () => undefined,
    }
  }

  check(socket: TLSSocket): string | null {
    const refusal = judgeBackEnd(socket, this.#rules, this.#hostname, this.#host.log, this.#server)
    if (refusal !== null) this.#closed()
    return refusal
  }

  failed(cause: Error | null): void {
    const { log } = this.#host
    log.write(this.#server, 'info', 'AH02003', 'SSL Proxy connect failed')
    if (cause !== null) log.write(this.#server, 'info', '', `SSL Library Error: ${libraryWords(cause)}`)
    this.#closed()
  }

  #closed(): void {
    const { log } = this.#host
    const text = `Connection closed to child 0 with abortive shutdown (server ${this.#rules.id})`
    log.write(this.#server, 'info', 'AH01998', text)
    log.write(this.#server, 'info', 'AH01997', 'SSL handshake failed: sending 502')
  }
}

/** OpenSSL's own words, without the function that newer versions do not name. */
function libraryWords({ message }: Error): string {
  const found = /error:([0-9A-F]+):([^:]*):[^:]*:([^:\n]*)/.exec(message)
  if (found === null) return 'error:0A000126:SSL routines::unexpected eof while reading'
  return `error:${found[1]}:${found[2]}::${found[3]}`
}
