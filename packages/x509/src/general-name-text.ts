import { IA5_STRING, UTF8_STRING } from './der-tags.ts'
import type { GeneralName } from './general-name.ts'
import { nameAsOneLine } from './name-text.ts'
import { objectName } from './object-names.ts'

/** Names that other names have in OpenSSL's output, by type. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['1.3.6.1.4.1.311.20.2.3', 'UPN'],
  ['1.3.6.1.5.5.7.8.5', 'XmppAddr'],
  ['1.3.6.1.5.5.7.8.7', 'SRVName'],
  ['1.3.6.1.5.5.7.8.8', 'NAIRealm'],
  ['1.3.6.1.5.5.7.8.9', 'SmtpUTF8Mailbox'],
])

/** @returns a name as OpenSSL prints it in an extension, for instance `DNS:localhost`; undefined if it contains a NUL */
export function generalNameText(name: GeneralName): string | undefined {
  const text = textOf(name)
  return text.includes('\0') ? undefined : text
}

function textOf(name: GeneralName): string {
  switch (name.kind) {
    case 'email':
      return `email:${name.contents.toString('latin1')}`
    case 'dns':
      return `DNS:${name.contents.toString('latin1')}`
    case 'uri':
      return `URI:${name.contents.toString('latin1')}`
    case 'ip':
      return `IP Address:${addressText(name.contents)}`
    case 'directory':
      return `DirName:${nameAsOneLine(name.name)}`
    case 'registered':
      return `Registered ID:${objectName(name.oid)?.long ?? name.oid}`
    case 'x400':
      return 'X400Name:<unsupported>'
    case 'edi':
      return 'EdiPartyName:<unsupported>'
    case 'other': {
      const isText = name.tag === UTF8_STRING || name.tag === IA5_STRING
      const type = OTHER_NAMES.get(name.oid) ?? objectName(name.oid)?.long ?? name.oid
      return `othername: ${type}::${isText ? name.contents.toString('latin1') : '<unsupported>'}`
    }
  }
}

function addressText(address: Buffer): string {
  if (address.length === 4) return address.join('.')
  if (address.length !== 16) return '<invalid>'
  return Array.from({ length: 8 }, (_, index) =>
    address
      .readUInt16BE(index * 2)
      .toString(16)
      .toUpperCase(),
  ).join(':')
}
