import type { AnyModule, Connection } from '@gatewright/api'
import type { TlsView } from '@gatewright/api/peers'
import { sslModule } from '../../../modules/mod_ssl/src/ssl-module.ts'

/** True while a request to https:// is asked about. */
let isSecure = false

/** Whether the connections of the next questions count as secured. */
export function assumeSecure(secure: boolean): void {
  isSecure = secure
}

/** mod_ssl, whose connections count as secured without a handshake, for which a page has neither keys nor OpenSSL. */
export const pageSsl: AnyModule = sslModule((_connection: Connection) => (isSecure ? VIEW : null))

const VIEW: TlsView = {
  protocol: 'TLSv1.3',
  cipher: 'TLS_AES_256_GCM_SHA384',
  cipherKeyBits: 256,
  cipherAlgorithmBits: 256,
  sessionReused: false,
  sessionId: '',
  serverName: null,
  serverCertificate: null,
  clientCertificate: null,
  clientChain: [],
  verifyResult: 'NONE',
}
