import { type OptionalFunction, optionalFunction } from './optional-functions.ts'
import type { Request } from './request.ts'

/**
 * Offered by mod_xml2enc, whose output filter `xml2enc` translates text to UTF-8: the charset that the text of a response
 * had, by its header, its first bytes or a META element. Null before the filter has seen the text, and for a charset
 * that it does not know.
 * @since 2.4.6
 */
export const sniffedCharsetOf: OptionalFunction<(request: Request) => string | null> = optionalFunction('xml2enc:charset')
