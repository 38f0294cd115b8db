import { contexts, type DirectiveTable, directive } from '@gatewright/api'
import type { OcspSettings, SectionSettings, ServerSettings, StaplingSettings } from '../settings.ts'
import { checkedFile } from './checked-paths.ts'
import { leadingNumber, revocationCheck } from './words.ts'

const SERVERS = { scope: 'server', context: contexts.inServers } as const

/** SSLOCSP* and SSLStapling*: what is asked of the responders of authorities. */
export const onlineRevocationDirectives: DirectiveTable<SectionSettings, ServerSettings> = {
  SSLOCSPEnable: directive.raw({
    ...SERVERS,
    help: "Enable use of OCSP to verify certificate revocation mode ('on', 'leaf', 'off')",
    set: ({ ocsp }: ServerSettings, text, command) => {
      const words = { off: 'nobody', leaf: 'leaf', on: 'chain' } as const
      const check = revocationCheck(command.words(text), words, 'no_ocsp_for_cert_ok', command)
      if ('error' in check) return check.error
      ocsp.enable = check
      return undefined
    },
  }),
  SSLOCSPDefaultResponder: directive.take1({
    ...SERVERS,
    help: 'URL of the default OCSP Responder',
    set: ({ ocsp }: ServerSettings, url) => void (ocsp.defaultResponder = url),
  }),
  SSLOCSPOverrideResponder: ocspFlag("Force use of the default responder URL ('on', 'off')", 'overrideResponder'),
  SSLOCSPResponseTimeSkew: ocspSeconds('Maximum time difference in OCSP responses', 'timeSkew'),
  SSLOCSPResponseMaxAge: ocspSeconds('Maximum age of OCSP responses', 'maxAge'),
  SSLOCSPResponderTimeout: ocspSeconds('OCSP responder query timeout', 'timeout'),
  SSLOCSPUseRequestNonce: ocspFlag("Whether OCSP queries use a nonce or not ('on', 'off')", 'useNonce'),
  SSLOCSPProxyURL: directive.take1({
    ...SERVERS,
    help: 'Proxy URL to use for OCSP requests',
    set: ({ ocsp }: ServerSettings, url) => {
      if (!isUrl(url)) return `SSLOCSPProxyURL: Cannot parse URL ${url}`
      ocsp.proxyUrl = url
      return undefined
    },
  }),
  SSLOCSPNoVerify: ocspFlag("Do not verify OCSP Responder certificate ('on', 'off')", 'noVerify'),
  SSLOCSPResponderCertificateFile: directive.take1({
    ...SERVERS,
    help: "Trusted OCSP responder certificates(`/path/to/file' - PEM encoded certificates)",
    set: ({ ocsp }: ServerSettings, text, command) => {
      const checked = checkedFile(text, command)
      if ('error' in checked) return checked.error
      ocsp.responderCertificates = checked.path
      return undefined
    },
  }),
  SSLUseStapling: staplingFlag("SSL switch for the OCSP Stapling protocol (`on', `off')", 'enabled'),
  SSLStaplingResponseTimeSkew: staplingSeconds('SSL stapling option for maximum time difference in OCSP responses', 'timeSkew'),
  SSLStaplingResponderTimeout: staplingSeconds('SSL stapling option for OCSP responder timeout', 'timeout'),
  SSLStaplingResponseMaxAge: staplingSeconds('SSL stapling option for maximum age of OCSP responses', 'maxAge'),
  SSLStaplingStandardCacheTimeout: staplingSeconds('SSL stapling option for normal OCSP Response Cache Lifetime', 'cacheTimeout'),
  SSLStaplingReturnResponderErrors: staplingFlag(
    "SSL stapling switch to return Status Errors Back to Client(`on', `off')",
    'returnErrors',
  ),
  SSLStaplingFakeTryLater: staplingFlag(
    "SSL stapling switch to send tryLater response to client on error (`on', `off')",
    'fakeTryLater',
  ),
  SSLStaplingErrorCacheTimeout: staplingSeconds(
    'SSL stapling option for OCSP Response Error Cache Lifetime',
    'errorCacheTimeout',
  ),
  SSLStaplingForceURL: directive.take1({
    ...SERVERS,
    help: 'SSL stapling option to Force the OCSP Stapling URL',
    set: ({ stapling }: ServerSettings, url) => void (stapling.forceUrl = url),
  }),
}

/** APR parses nearly everything; it refuses an empty scheme and a bracket that is never closed. */
function isUrl(text: string): boolean {
  return !text.startsWith(':') && !/^[^/?#]*:\/\/(?:[^/?#@]*@)?\[[^\]/?#]*(?:[/?#]|$)/.test(text)
}

type Row = (typeof onlineRevocationDirectives)[`SSL${string}`]
type KeysOf<T, V> = { [K in keyof T]-?: T[K] extends V | undefined ? (V extends T[K] ? K : never) : never }[keyof T]

function ocspFlag(help: string, key: KeysOf<OcspSettings, boolean>): Row {
  return directive.flag({ ...SERVERS, help, set: ({ ocsp }: ServerSettings, on) => void (ocsp[key] = on) })
}

function staplingFlag(help: string, key: KeysOf<StaplingSettings, boolean>): Row {
  return directive.flag({ ...SERVERS, help, set: ({ stapling }: ServerSettings, on) => void (stapling[key] = on) })
}

function ocspSeconds(help: string, key: 'timeSkew' | 'maxAge' | 'timeout'): Row {
  return seconds(help, ({ ocsp }, value) => void (ocsp[key] = value))
}

function staplingSeconds(help: string, key: 'timeSkew' | 'maxAge' | 'timeout' | 'cacheTimeout' | 'errorCacheTimeout'): Row {
  return seconds(help, ({ stapling }, value) => void (stapling[key] = value))
}

function seconds(help: string, set: (config: ServerSettings, value: number) => void): Row {
  return directive.take1({
    ...SERVERS,
    help,
    set: (config: ServerSettings, text, command) => {
      const value = leadingNumber(text)
      if (value < 0) return `${command.name}: invalid argument`
      set(config, value)
      return undefined
    },
  })
}
