import { readFileSync } from 'node:fs'
import type { AnyModule } from '@gatewright/api'
import type { TlsView } from '@gatewright/api/peers'
import type { FileTree } from '@gatewright/testing'
import { sslModule } from '../src/ssl-module.ts'

const FIXTURES = new URL('../../../test/conformance/fixtures/tls/', import.meta.url)

/** A file of the certificates that the conformance suite uses. */
export function fixture(name: string): string {
  return readFileSync(new URL(name, FIXTURES), 'latin1')
}

/** Some of them below conf/. */
export function fixtures(...names: readonly string[]): FileTree {
  return Object.fromEntries(names.map((name) => [`conf/${name}`, fixture(name)]))
}

/** The first certificate of a PEM file, as DER. */
export function der(name: string): Uint8Array {
  const [, base64 = ''] = /-----BEGIN CERTIFICATE-----([^-]*)/.exec(fixture(name)) ?? []
  return Buffer.from(base64, 'base64')
}

const VIEW: TlsView = {
  protocol: 'TLSv1.3',
  cipher: 'TLS_AES_256_GCM_SHA384',
  cipherKeyBits: 256,
  cipherAlgorithmBits: 256,
  sessionReused: false,
  sessionId: 'ab12',
  serverName: 'localhost',
  serverCertificate: der('localhost.crt'),
  clientCertificate: null,
  clientChain: [],
  verifyResult: 'ok',
}

/** The module with connections from 127.0.0.1 that count as secured; others do not. */
export function securedConnections(changes: Partial<TlsView> = {}): AnyModule {
  const view = { ...VIEW, ...changes }
  return sslModule(({ remoteAddress }) => (remoteAddress === '127.0.0.1' ? view : null))
}
