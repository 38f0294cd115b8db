/** The names of HTML that httpd decodes in values, with the code of each. */
const CODES: ReadonlyMap<string, number> = new Map([
  ['lt', 60],
  ['gt', 62],
  ['amp', 38],
  ['quot', 34],
  ...listed(192, 'Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml'),
  ...listed(208, 'ETH Ntilde Ograve Oacute Ocirc Otilde Ouml'),
  ...listed(216, 'Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig'),
  ...listed(224, 'agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml'),
  ...listed(240, 'eth ntilde ograve oacute ocirc otilde ouml'),
  ...listed(248, 'oslash ugrave uacute ucirc uuml yacute thorn yuml'),
])

function listed(first: number, names: string): [string, number][] {
  return names.split(' ').map((name, index) => [name, first + index])
}

/**
 * Replaces references to characters (`&amp;`, `&#65;`) by the characters. Unknown names stay; a number that is no
 * printable character of ISO 8859-1 disappears, as in httpd.
 */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(/&(?:#(\d+)|([A-Za-z]+));/g, (whole, digits: string | undefined, name: string | undefined) => {
    if (digits !== undefined) return isShown(Number(digits)) ? String.fromCharCode(Number(digits)) : ''
    const code = CODES.get(name ?? '')
    return code === undefined ? whole : String.fromCharCode(code)
  })
}

function isShown(code: number): boolean {
  return code === 9 || code === 10 || (code >= 32 && code < 127) || (code > 160 && code < 256)
}
