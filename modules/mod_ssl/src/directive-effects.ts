/** What a directive does in this server. */
export type DirectiveEffect =
  /** What it does in httpd. A note names the values that are refused. */
  | { readonly effect: 'honoured'; readonly note?: string }
  | { readonly effect: 'without effect' | 'refused'; readonly note: string }

const honoured = (names: string): readonly (readonly [string, DirectiveEffect])[] =>
  names.split(' ').map((name) => [name, { effect: 'honoured' }])

const FIRST_CERTIFICATE: DirectiveEffect = {
  effect: 'honoured',
  note: 'the first usable certificate is sent, whatever authorities the back end names',
}

/** Every directive of httpd's mod_ssl, by name, as `httpd -L` has them. */
export const DIRECTIVE_EFFECTS: ReadonlyMap<string, DirectiveEffect> = new Map<string, DirectiveEffect>([
  ...honoured(
    'SSLCACertificateFile SSLCACertificatePath SSLCADNRequestFile SSLCADNRequestPath SSLCARevocationCheck ' +
      'SSLCARevocationFile SSLCARevocationPath SSLCertificateChainFile SSLCipherSuite SSLHonorCipherOrder SSLOptions ' +
      'SSLProtocol SSLRenegBufferSize SSLRequire SSLRequireSSL SSLSessionCacheTimeout SSLSessionTicketKeyFile ' +
      'SSLSessionTickets SSLStrictSNIVHostCheck SSLUserName SSLVHostSNIPolicy SSLVerifyClient SSLVerifyDepth ' +
      'SSLInsecureRenegotiation SSLOCSPDefaultResponder SSLOCSPEnable SSLOCSPNoVerify SSLOCSPOverrideResponder ' +
      'SSLOCSPProxyURL SSLOCSPResponderCertificateFile SSLOCSPResponderTimeout SSLOCSPResponseMaxAge ' +
      'SSLOCSPResponseTimeSkew SSLOCSPUseRequestNonce SSLStaplingErrorCacheTimeout SSLStaplingFakeTryLater ' +
      'SSLStaplingForceURL SSLStaplingResponderTimeout SSLStaplingResponseMaxAge SSLStaplingResponseTimeSkew ' +
      'SSLStaplingReturnResponderErrors SSLStaplingStandardCacheTimeout SSLUseStapling',
  ),
  [
    'SSLCertificateFile',
    { effect: 'honoured', note: 'a name `pkcs11:` is refused at the start: keys of devices cannot be used' },
  ],
  ['SSLCertificateKeyFile', { effect: 'honoured', note: 'a name `pkcs11:` is refused at the start' }],
  ['SSLCompression', { effect: 'refused', note: 'On: OpenSSL has no compression; Off is accepted' }],
  ['SSLCryptoDevice', { effect: 'refused', note: 'devices cannot be loaded; `builtin` is accepted' }],
  ['SSLEngine', { effect: 'honoured', note: '`optional` is Off, with AH10510' }],
  ['SSLFIPS', { effect: 'honoured', note: 'On stops the start unless Node runs in FIPS mode' }],
  ['SSLLog', { effect: 'refused', note: 'use ErrorLog' }],
  ['SSLLogLevel', { effect: 'refused', note: 'use `LogLevel ssl:LEVEL`' }],
  [
    'SSLOpenSSLConfCmd',
    {
      effect: 'honoured',
      note:
        'Curves, Groups, ECDHParameters, SignatureAlgorithms, CipherString, Ciphersuites, Protocol, MinProtocol, MaxProtocol, ' +
        'Options, DHParameters; other commands are refused with what to use instead',
    },
  ],
  ['SSLPassPhraseDialog', { effect: 'honoured' }],
  ['SSLRandomSeed', { effect: 'without effect', note: 'random numbers come from the operating system; the words are checked' }],
  ['SSLSRPUnknownUserSeed', { effect: 'without effect', note: 'there are no SRP passwords' }],
  ['SSLSRPVerifierFile', { effect: 'refused', note: 'users cannot log in by SRP passwords' }],
  ['SSLStaplingCache', { effect: 'honoured', note: 'the kinds of the modules mod_socache_ that are loaded' }],
  [
    'SSLSessionCache',
    { effect: 'honoured', note: '`none`, `nonenotnull`, and the kinds of the modules mod_socache_ that are loaded' },
  ],
  ...honoured(
    'SSLProxyCACertificateFile SSLProxyCACertificatePath SSLProxyCARevocationCheck SSLProxyCARevocationFile ' +
      'SSLProxyCARevocationPath SSLProxyCheckPeerCN SSLProxyCheckPeerExpire SSLProxyCheckPeerName SSLProxyCipherSuite ' +
      'SSLProxyEngine SSLProxyMachineCertificateChainFile SSLProxyProtocol SSLProxyVerify SSLProxyVerifyDepth',
  ),
  ['SSLProxyMachineCertificateFile', FIRST_CERTIFICATE],
  ['SSLProxyMachineCertificatePath', FIRST_CERTIFICATE],
])

/** The table of the manual page. */
export function effectsTable(): string {
  const rows = [...DIRECTIVE_EFFECTS]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { effect, note = '' }]) => [`\`${name}\``, effect, note])
  const all = [['Directive', 'In this server', 'Remarks'], ...rows]
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => row[column].length)))
  const line = (cells: readonly string[]): string => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`
  const [head, ...body] = all.map(line)
  return [head, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body].join('\n')
}
