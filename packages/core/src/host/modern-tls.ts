import type { TlsView } from '@gatewright/api/peers'

/** Ciphers of TLS 1.2 with keys that are forgotten and authenticated encryption: those that RFC 9113 appendix A leaves. */
const MODERN_CIPHER = /^(?:ECDHE|DHE)-.*(?:GCM|CCM|CCM8|CHACHA20)/

/** Whether a connection is secured as RFC 9113 section 9.2 demands. */
export function isModernTls({ protocol, cipher }: TlsView): boolean {
  return protocol === 'TLSv1.3' || (protocol === 'TLSv1.2' && MODERN_CIPHER.test(cipher))
}
