import fc from 'fast-check'
import { derOid, derSequence, derSet, derValue } from '../../src/der-writer.ts'

const TYPES = [
  '2.5.4.3',
  '2.5.4.5',
  '2.5.4.6',
  '2.5.4.10',
  '2.5.4.11',
  '2.5.4.97',
  '0.9.2342.19200300.100.1.25',
  '1.2.840.113549.1.9.1',
  // Without a name, one of them longer than OpenSSL's buffer.
  '1.2.3.4',
  '2.999.1',
  `1.2.3.${new Array(60).fill('123456').join('.')}`,
]
const CHARACTERS = [...' ,+"\\<>;#=/aAbZ09.-*\0\n\x7f', 'ü', 'ÿ', 'Ā', '€', '漢', '😀']

const text = fc.array(fc.constantFrom(...CHARACTERS), { maxLength: 8 })
const narrow = fc
  .tuple(fc.constantFrom(0x12, 0x13, 0x14, 0x16), text)
  .map(([tag, all]) => derValue(tag, Buffer.from(all.join(''), 'latin1')))
const utf8 = text.map((all) => derValue(0x0c, Buffer.from(all.join(''))))
const bmp = text.map((all) => {
  const twoBytes = all.filter((character) => character.length === 1).join('')
  return derValue(0x1e, Buffer.from(twoBytes, 'utf16le').swap16())
})
const universal = text.map((all) => derValue(0x1c, Buffer.concat(all.map(fourBytes))))

function fourBytes(character: string): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(character.codePointAt(0) ?? 0)
  return bytes
}

const attribute = fc
  .tuple(fc.constantFrom(...TYPES), fc.oneof(narrow, utf8, bmp, universal))
  .map(([oid, value]) => derSequence(derOid(oid), value))
const relativeName = fc.array(attribute, { minLength: 1, maxLength: 3 }).map((attributes) => derSet(...attributes))

/** The DER of distinguished names: every string type, characters to escape, several attributes in a relative name, empty values. */
export const randomNames: fc.Arbitrary<Buffer> = fc.array(relativeName, { maxLength: 4 }).map((names) => derSequence(...names))
