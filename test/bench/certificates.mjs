import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const KEYS = {
  ecdsa: ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'],
  rsa: ['-newkey', 'rsa:2048'],
}

/**
 * Makes a key and a self-signed certificate for localhost: `conf/tls.key` and `conf/tls.crt` below `root`.
 * @param {'ecdsa' | 'rsa'} kind
 * @throws {Error} if openssl does not make them
 */
export function makeCertificate(root, kind) {
  const [key, certificate] = ['tls.key', 'tls.crt'].map((name) => join(root, 'conf', name))
  const files = ['-keyout', key, '-out', certificate]
  const about = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1', '-days', '2']
  const { status, stderr } = spawnSync('openssl', ['req', '-x509', '-nodes', ...KEYS[kind], ...files, ...about], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`openssl made no certificate: ${stderr}\nhint: on Debian: apt-get install openssl`)
}
