/**
 * A set of byte values: index = byte, 1 = member. Every item of a pattern that matches one byte remains such
 * a set until it is printed. Case folding, negation and the C locale's classes are therefore computed here
 * and never left to JavaScript, whose classes and case rules are wider than the ASCII rules of PCRE without
 * UTF.
 */
export type ByteSet = Uint8Array

export function emptySet(): ByteSet {
  return new Uint8Array(256)
}

export function setOf(member: (byte: number) => boolean): ByteSet {
  const set = emptySet()
  for (let byte = 0; byte < 256; byte++) if (member(byte)) set[byte] = 1
  return set
}

export function rangeSet(first: number, last: number): ByteSet {
  return setOf((byte) => byte >= first && byte <= last)
}

export function complement(set: ByteSet): ByteSet {
  return set.map((member) => 1 - member)
}

export function addAll(target: ByteSet, other: ByteSet): void {
  for (let byte = 0; byte < 256; byte++) if (other[byte] === 1) target[byte] = 1
}

/** Adds the other case of every ASCII letter of the set. */
export function foldCase(set: ByteSet): ByteSet {
  const folded = set.slice()
  for (let byte = 0x41; byte <= 0x5a; byte++) {
    if (set[byte] === 1) folded[byte + 32] = 1
    if (set[byte + 32] === 1) folded[byte] = 1
  }
  return folded
}

/**
 * The set as the text of one JavaScript atom: a literal, `[^]`, or the shorter of a class and a negated
 * class.
 */
export function printSet(set: ByteSet): string {
  const size = set.reduce((sum, member) => sum + member, 0)
  if (size === 256) return '[^]'
  if (size === 0) return '[]'
  if (size === 1) return printLiteral(set.indexOf(1))
  const plain = printRanges(set)
  const negated = printRanges(complement(set))
  return negated.length < plain.length ? `[^${negated}]` : `[${plain}]`
}

function printRanges(set: ByteSet): string {
  let text = ''
  for (let byte = 0; byte < 256; byte++) {
    if (set[byte] !== 1) continue
    let last = byte
    while (last < 255 && set[last + 1] === 1) last++
    text += printMember(byte)
    if (last > byte) text += (last > byte + 1 ? '-' : '') + printMember(last)
    byte = last
  }
  return text
}

function printMember(byte: number): string {
  const character = String.fromCharCode(byte)
  return /[\w !"#$%&'()*+,./:;<=>?@`{|}~]/.test(character) ? character : hexadecimal(byte)
}

function printLiteral(byte: number): string {
  const character = String.fromCharCode(byte)
  if (/[$^\\.*+?()[\]{}|/]/.test(character)) return `\\${character}`
  return byte >= 0x20 && byte < 0x7f ? character : hexadecimal(byte)
}

function hexadecimal(byte: number): string {
  return `\\x${byte.toString(16).padStart(2, '0')}`
}
