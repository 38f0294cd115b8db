import { type Command, contexts, type DirectiveTable, directive, type SetResult } from '@gatewright/api'
import { readCiphers } from '../cipher-list.ts'
import { readProtocols } from '../protocol-versions.ts'
import type { ProxySettings, SectionSettings, ServerSettings } from '../settings.ts'
import { checkedFile, checkedFolder } from './checked-paths.ts'
import { warnOfOverriding } from './server.ts'
import { leadingNumber, revocationCheck, verifyMode } from './words.ts'

const PROXY = { scope: 'directory', context: [...contexts.inServers, 'proxy'] } as const

/** Directives for connections to servers behind this one. */
export const proxyDirectives: DirectiveTable<SectionSettings, ServerSettings> = {
  SSLProxyEngine: flag("SSL switch for the proxy protocol engine ('on', 'off')", (proxy, on) => void (proxy.engine = on)),
  SSLProxyProtocol: directive.raw({
    ...PROXY,
    help: "SSL Proxy: enable or disable SSL protocol flavors ('[+-][TLSv1|TLSv1.1|TLSv1.2] ...' - see manual)",
    set: ({ proxy }: SectionSettings, text, command) => {
      const line = readProtocols(command.name, command.words(text))
      if ('error' in line) return line.error
      warnOfOverriding(line.overriding, command)
      proxy.protocols = line.protocols
      return undefined
    },
  }),
  SSLProxyCipherSuite: directive.take12({
    ...PROXY,
    help: "SSL Proxy: colon-delimited list of permitted SSL ciphers , optionally preceded by protocol specifier ('XXX:...:XXX' - see manual)",
    set: ({ proxy }: SectionSettings, first, second) => {
      const line = readCiphers(first, second)
      if ('error' in line) return line.error
      if (line.list !== undefined) proxy.cipherList = line.list
      else proxy.cipherSuites = line.suites
      return undefined
    },
  }),
  SSLProxyVerify: directive.take1({
    ...PROXY,
    help: "SSL Proxy: whether to verify the remote certificate ('on' or 'off')",
    set: ({ proxy }: SectionSettings, word, command) => {
      const mode = verifyMode(word)
      if (mode === undefined) return `${command.name}: Invalid argument '${word}'`
      proxy.verify = mode
      return undefined
    },
  }),
  SSLProxyVerifyDepth: directive.take1({
    ...PROXY,
    help: "SSL Proxy: maximum certificate verification depth ('N' - number of intermediate certificates)",
    set: ({ proxy }: SectionSettings, word, command) => {
      const depth = leadingNumber(word)
      if (depth < 0) return `${command.name}: Invalid argument '${word}'`
      proxy.verifyDepth = depth
      return undefined
    },
  }),
  SSLProxyCACertificateFile: path(
    "SSL Proxy: file containing server certificates ('/path/to/file' - PEM encoded certificates)",
    checkedFile,
    (proxy, file) => void (proxy.caFile = file),
  ),
  SSLProxyCACertificatePath: path(
    "SSL Proxy: directory containing server certificates ('/path/to/dir' - contains PEM encoded certificates)",
    checkedFolder,
    (proxy, folder) => void (proxy.caPath = folder),
  ),
  SSLProxyCARevocationPath: path(
    "SSL Proxy: CA Certificate Revocation List (CRL) path ('/path/to/dir' - contains PEM encoded files)",
    checkedFolder,
    (proxy, folder) => void (proxy.crlPath = folder),
  ),
  SSLProxyCARevocationFile: path(
    "SSL Proxy: CA Certificate Revocation List (CRL) file ('/path/to/file' - PEM encoded)",
    checkedFile,
    (proxy, file) => void (proxy.crlFile = file),
  ),
  SSLProxyCARevocationCheck: directive.raw({
    ...PROXY,
    help: 'SSL Proxy: CA Certificate Revocation List (CRL) checking mode',
    set: setCheck,
  }),
  SSLProxyMachineCertificateFile: path(
    "SSL Proxy: file containing client certificates ('/path/to/file' - PEM encoded certificates)",
    checkedFile,
    (proxy, file) => void (proxy.machineCertificateFile = file),
  ),
  SSLProxyMachineCertificatePath: path(
    "SSL Proxy: directory containing client certificates ('/path/to/dir' - contains PEM encoded certificates)",
    checkedFolder,
    (proxy, folder) => void (proxy.machineCertificatePath = folder),
  ),
  SSLProxyMachineCertificateChainFile: path(
    "SSL Proxy: file containing issuing certificates of the client certificate (`/path/to/file' - PEM encoded certificates)",
    checkedFile,
    (proxy, file) => void (proxy.machineChainFile = file),
  ),
  SSLProxyCheckPeerExpire: flag(
    "SSL Proxy: check the peer certificate's expiration date",
    (proxy, on) => void (proxy.checkExpire = on),
  ),
  SSLProxyCheckPeerCN: flag("SSL Proxy: check the peer certificate's CN", (proxy, on) => void (proxy.checkCn = on)),
  SSLProxyCheckPeerName: flag(
    "SSL Proxy: check the peer certificate's name (must be present in subjectAltName extension or CN",
    (proxy, on) => void (proxy.checkName = on),
  ),
}

function setCheck({ proxy }: SectionSettings, text: string, command: Command): SetResult {
  const words = { none: 'nobody', leaf: 'leaf', chain: 'chain' } as const
  const check = revocationCheck(command.words(text), words, 'no_crl_for_cert_ok', command)
  if ('error' in check) return check.error
  proxy.crlCheck = check
  return undefined
}

type Row = (typeof proxyDirectives)[`SSL${string}`]

function flag(help: string, set: (proxy: ProxySettings, on: boolean) => void): Row {
  return directive.flag({ ...PROXY, help, set: ({ proxy }: SectionSettings, on) => set(proxy, on) })
}

function path(help: string, check: typeof checkedFile, set: (proxy: ProxySettings, path: string) => void): Row {
  return directive.take1({
    ...PROXY,
    help,
    set: ({ proxy }: SectionSettings, text, command) => {
      const checked = check(text, command)
      if ('error' in checked) return checked.error
      set(proxy, checked.path)
      return undefined
    },
  })
}
