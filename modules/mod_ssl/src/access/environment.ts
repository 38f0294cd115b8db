import { DECLINED, type ModuleHost, type Outcome, type Request } from '@gatewright/api'
import { EXPORT_CERT_DATA, STD_ENV_VARS } from '../options.ts'
import type { SectionSettings, ServerSettings } from '../settings.ts'
import { tlsVariable, type VariableSources } from './tls-variables.ts'

/** The variables of SSLOptions +StdEnvVars, without `SSL_`; those of names and alternative names follow. */
const STANDARD: readonly string[] = [
  ...'VERSION_INTERFACE VERSION_LIBRARY PROTOCOL SECURE_RENEG COMPRESS_METHOD CIPHER CIPHER_EXPORT'.split(' '),
  ...'CIPHER_USEKEYSIZE CIPHER_ALGKEYSIZE CLIENT_VERIFY CLIENT_M_VERSION CLIENT_M_SERIAL CLIENT_V_START'.split(' '),
  ...'CLIENT_V_END CLIENT_V_REMAIN CLIENT_S_DN CLIENT_I_DN CLIENT_A_KEY CLIENT_A_SIG'.split(' '),
  ...'CLIENT_CERT_RFC4523_CEA SERVER_M_VERSION SERVER_M_SERIAL SERVER_V_START SERVER_V_END SERVER_S_DN'.split(' '),
  ...'SERVER_I_DN SERVER_A_KEY SERVER_A_SIG SESSION_ID SESSION_RESUMED'.split(' '),
]

/** Sets the environment variables of requests over TLS. */
export function setEnvironment(
  request: Request,
  { configOf }: ModuleHost<SectionSettings, ServerSettings>,
  sources: VariableSources,
): Outcome {
  const view = sources.viewOf(request)
  if (view === null) return DECLINED
  const { env } = request
  env.set('HTTPS', 'on')
  if (view.serverName !== null) env.set('SSL_TLS_SNI', view.serverName)
  const { bits } = configOf(request).options
  if ((bits & STD_ENV_VARS) !== 0) {
    const { certificates } = sources
    const { serverCertificate, clientCertificate } = view
    if (serverCertificate !== null) setAll(env, 'SSL_SERVER_', certificates.listed(serverCertificate, 'server'))
    if (clientCertificate !== null) setAll(env, 'SSL_CLIENT_', certificates.listed(clientCertificate, 'client'))
    for (const name of STANDARD) {
      const value = tlsVariable(sources, request, name)
      if (value !== undefined && value !== '') env.set(`SSL_${name}`, value)
    }
  }
  if ((bits & EXPORT_CERT_DATA) !== 0) {
    for (const name of ['SERVER_CERT', 'CLIENT_CERT']) env.set(`SSL_${name}`, tlsVariable(sources, request, name) ?? '')
    for (const index of view.clientChain.keys()) {
      const value = tlsVariable(sources, request, `CLIENT_CERT_CHAIN_${index}`)
      if (value !== undefined) env.set(`SSL_CLIENT_CERT_CHAIN_${index}`, value)
    }
  }
  return DECLINED
}

function setAll(env: Request['env'], prefix: string, pairs: Iterable<readonly [string, string]>): void {
  for (const [name, value] of pairs) env.set(`${prefix}${name}`, value)
}
