/** Identifier octets of DER that X.509 uses (X.690, section 8.1.2). */
export const BOOLEAN = 0x01
export const INTEGER = 0x02
export const BIT_STRING = 0x03
export const OCTET_STRING = 0x04
export const NULL = 0x05
export const OBJECT_IDENTIFIER = 0x06
export const ENUMERATED = 0x0a
export const UTF8_STRING = 0x0c
export const NUMERIC_STRING = 0x12
export const PRINTABLE_STRING = 0x13
export const T61_STRING = 0x14
export const IA5_STRING = 0x16
export const UTC_TIME = 0x17
export const GENERALIZED_TIME = 0x18
export const VISIBLE_STRING = 0x1a
export const UNIVERSAL_STRING = 0x1c
export const BMP_STRING = 0x1e
export const SEQUENCE = 0x30
export const SET = 0x31

/** The identifier octet of a primitive value with a context-specific tag, 0 to 30. */
export function contextPrimitive(tag: number): number {
  return 0x80 | tag
}

/** The identifier octet of a constructed value with a context-specific tag, 0 to 30. */
export function contextConstructed(tag: number): number {
  return 0xa0 | tag
}
