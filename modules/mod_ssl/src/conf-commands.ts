import type { Command } from '@gatewright/api'
import { checkedFile, checkedFolder } from './directives/checked-paths.ts'
import type { ConfCommand } from './settings.ts'

/** A command of OpenSSL: what its value is, and what to use instead where Node has no way to it. */
interface KnownCommand {
  readonly value: 'text' | 'file' | 'folder'
  readonly instead?: string
}

const text: KnownCommand = { value: 'text' }
const refused = (value: KnownCommand['value'], instead: string): KnownCommand => ({ value, instead })

const CLIENTS = 'use SSLCACertificateFile and SSLCADNRequestFile'
const CHAIN = 'put the chain into the file of SSLCertificateFile'

/** The commands that OpenSSL accepts in configurations of servers, by name in lower case. */
const COMMANDS: ReadonlyMap<string, KnownCommand> = new Map([
  ['signaturealgorithms', text],
  ['curves', text],
  ['groups', text],
  ['ecdhparameters', text],
  ['cipherstring', text],
  ['ciphersuites', text],
  ['protocol', text],
  ['minprotocol', text],
  ['maxprotocol', text],
  ['options', text],
  ['dhparameters', { value: 'file' }],
  ['clientsignaturealgorithms', refused('text', 'use SignatureAlgorithms, which is that of clients too')],
  ['verifymode', refused('text', 'use SSLVerifyClient')],
  ['certificate', refused('file', 'use SSLCertificateFile')],
  ['privatekey', refused('file', 'use SSLCertificateKeyFile')],
  ['serverinfofile', refused('file', 'remove the line')],
  ['chaincapath', refused('folder', CHAIN)],
  ['chaincafile', refused('file', CHAIN)],
  ['chaincastore', refused('text', CHAIN)],
  ['verifycapath', refused('folder', 'use SSLCACertificatePath')],
  ['verifycafile', refused('file', 'use SSLCACertificateFile')],
  ['verifycastore', refused('text', 'use SSLCACertificateFile')],
  ['requestcafile', refused('file', CLIENTS)],
  ['clientcafile', refused('file', CLIENTS)],
  ['requestcapath', refused('folder', CLIENTS)],
  ['clientcapath', refused('folder', CLIENTS)],
  ['requestcastore', refused('text', CLIENTS)],
  ['clientcastore', refused('text', CLIENTS)],
  ['recordpadding', refused('text', 'remove the line')],
  ['numtickets', refused('text', 'use SSLSessionTickets')],
])

/** Checks a line of SSLOpenSSLConfCmd. Its value is checked at the start, when it is applied. */
export function readConfCommand(
  name: string,
  value: string,
  command: Command,
): ConfCommand | { readonly error: string | { readonly message: string; readonly hint: string } } {
  const known = COMMANDS.get(name.toLowerCase())
  if (known === undefined) return { error: `'${name}': invalid OpenSSL configuration command` }
  if (known.value !== 'text') {
    const checked = known.value === 'file' ? checkedFile(value, command) : checkedFolder(value, command)
    if ('error' in checked) return checked
    if (known.instead === undefined) return { name, value: checked.path }
  }
  if (known.instead !== undefined) {
    return { error: { message: `SSLOpenSSLConfCmd: this server cannot set ${name}`, hint: known.instead } }
  }
  return { name, value }
}
