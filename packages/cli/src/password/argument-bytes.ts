/**
 * A word of the command line as bytes, one character each; undefined when it was not UTF-8. Node decodes the words and puts a replacement character where it cannot,
 * and with that another name or password would be stored than the one that was typed.
 */
export function argumentBytes(word: string): string | undefined {
  return word.includes('\ufffd') ? undefined : Buffer.from(word, 'utf8').toString('latin1')
}
