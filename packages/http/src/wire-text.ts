import { requireByteText } from '@gatewright/api/text'

/**
 * Encodes a text for the client, one byte per character. Its creator has validated its characters; this last
 * check prevents a character above U+00FF from becoming another one, such as a line feed.
 * @throws TypeError for such a character
 */
export function wireText(text: string): string {
  requireByteText('what is sent', text)
  return text
}

/** The bytes of such a text. @throws TypeError like `wireText` */
export function wireBytes(text: string): Buffer {
  return Buffer.from(wireText(text), 'latin1')
}
