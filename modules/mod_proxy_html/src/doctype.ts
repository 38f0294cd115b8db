import type { Doctype } from './config.ts'

/** The document type of `HTML`, `XHTML`, with or without `Legacy`, or of a line of its own with `SGML` or `XML`. */
export function doctypeOf(word: string, second: string | undefined): Doctype {
  const legacy = second?.toLowerCase() === 'legacy'
  switch (word.toLowerCase()) {
    case 'html':
      return { text: legacy ? HTML_LEGACY : HTML, emptyTagEnd: '>', admits: legacy ? 'known' : 'current' }
    case 'xhtml':
      return { text: legacy ? XHTML_LEGACY : XHTML, emptyTagEnd: ' />', admits: legacy ? 'known' : 'current' }
    default:
      return { text: word, emptyTagEnd: /^x/i.test(second ?? '') ? ' />' : '>', admits: 'all' }
  }
}

/** No document type, and every element. */
export const ANY_DOCTYPE: Doctype = { text: '', emptyTagEnd: '>', admits: 'all' }

const HTML = '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN">\n'
const HTML_LEGACY = '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">\n'
const XHTML = '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">\n'
const XHTML_LEGACY =
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">\n'
