import { requireByteText } from '@gatewright/api'

/**
 * A text as it goes to a client, one byte per character. Whoever made it has checked what it is made of; this is the last place at which a character above U+00FF can be kept from
 * becoming another one, a line feed say.
 * @throws TypeError for such a character
 */
export function wireText(text: string): string {
  requireByteText('what is sent', text)
  return text
}

/** The bytes of such a text. @throws TypeError as `wireText` does */
export function wireBytes(text: string): Buffer {
  return Buffer.from(wireText(text), 'latin1')
}
