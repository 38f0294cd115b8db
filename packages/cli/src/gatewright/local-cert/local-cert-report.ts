import type { LocalCertificates, UsablePair } from './local-certificates.ts'

/** Where the server would keep what belongs to the certificates. */
export interface ReportPlaces {
  /** The folder of the installation's modules. */
  readonly modules: string
}

/** The port of the suggested configuration, which needs no privileges. */
const PORT = 8443

/** Directives that serve the document root by https. */
export function localCertDirectives({ server }: LocalCertificates, { modules }: ReportPlaces): readonly string[] {
  return [
    `LoadModule socache_shmcb_module "${modules}/mod_socache_shmcb.mjs"`,
    `LoadModule ssl_module "${modules}/mod_ssl.mjs"`,
    `Listen ${PORT}`,
    `<VirtualHost *:${PORT}>`,
    '  ServerName localhost',
    '  SSLEngine on',
    `  SSLCertificateFile "${server.certificatePath}"`,
    `  SSLCertificateKeyFile "${server.keyPath}"`,
    '</VirtualHost>',
  ]
}

/** The result as text. */
export function localCertReport(made: LocalCertificates, places: ReportPlaces): string {
  const { authority, server, names, closedKeys } = made
  return [
    `${server.certificatePath}`,
    `  ${describe(server)} ${names.join(', ')}`,
    `  key: ${server.keyPath}`,
    `${authority.certificatePath}`,
    `  ${describe(authority)} the certificates above`,
    `  key: ${authority.keyPath}`,
    ...closedKeys.map((path) => `note: other users could read ${path}; its mode is now 600`),
    '',
    'Configuration (leave out what is there already):',
    '',
    ...localCertDirectives(made, places).map((line) => `  ${line}`),
    '',
    'Clients reject the certificate until they trust the authority:',
    '',
    ...trustLines(authority.certificatePath),
    '',
    `Keep ${authority.keyPath} secret: its owner can pose as any site to clients that trust the authority.`,
  ].join('\n')
}

/** The result as data. */
export function localCertData(made: LocalCertificates, places: ReportPlaces): object {
  return {
    names: made.names,
    authority: pairData(made.authority),
    server: pairData(made.server),
    directives: localCertDirectives(made, places),
  }
}

/** How the usual clients learn to trust an authority. */
function trustLines(certificate: string): readonly string[] {
  const file = quoted(certificate)
  return [
    ['curl, wget', `curl --cacert ${file} https://localhost:${PORT}/`],
    ['', `wget --ca-certificate=${file} https://localhost:${PORT}/`],
    ['Debian', `sudo cp ${file} /usr/local/share/ca-certificates/gatewright-local.crt && sudo update-ca-certificates`],
    ['Fedora', `sudo trust anchor ${file}`],
    ['Chromium', `certutil -d sql:$HOME/.pki/nssdb -A -t C,, -n gatewright-local -i ${file}`],
    ['Firefox', 'Settings, Privacy & Security, View Certificates, Authorities, Import'],
    ['Java', `keytool -importcert -cacerts -noprompt -alias gatewright-local -file ${file}`],
    ['Node', `NODE_EXTRA_CA_CERTS=${file}`],
  ].map(([who, how]) => `  ${who.padEnd(11)}${how}`)
}

function describe({ issued, expires }: UsablePair): string {
  const date = expires.toISOString().slice(0, 10)
  switch (issued) {
    case null:
      return `unchanged, valid until ${date}:`
    case 'new':
      return `written, valid until ${date}:`
    case 'names':
      return `written again with more names, valid until ${date}:`
    case 'expiry':
      return `renewed, valid until ${date}:`
    case 'authority':
      return `written again because the authority is another one, valid until ${date}:`
  }
}

function pairData({ certificatePath, keyPath, issued, expires, fingerprint }: UsablePair): object {
  return { certificate: certificatePath, key: keyPath, issued, expires: expires.toISOString(), fingerprint }
}

/** A word for a shell. */
function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
