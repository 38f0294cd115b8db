import { parseXml, type XmlElement, XmlError } from '@gatewright/dav'
import type { DavContext } from './context.ts'

/** Reads the document in a request body; null for no body, or the status that refuses it. */
export async function readDocument({ request, services }: DavContext): Promise<XmlElement | null | 400 | 413> {
  const limit = services.xmlBodyLimit(request)
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request.readBody()) {
    length += chunk.length
    if (length > limit) {
      services.logXmlRefused(request, 'AH00539', `XML request body is larger than the configured limit of ${limit}`)
      return 413
    }
    chunks.push(Buffer.from(chunk))
  }
  if (length === 0) return null
  try {
    return parseXml(Buffer.concat(chunks).toString('latin1'))
  } catch (error) {
    if (!(error instanceof XmlError)) throw error
    services.logXmlRefused(request, 'AH00541', `XML Parser Error: ${error.message}`)
    return 400
  }
}
