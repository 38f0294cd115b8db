import type { Request } from '@gatewright/api'
import type { Page } from './page.ts'

/** Adds the response of a sub-request to a page, piece by piece. @returns null, or the status that was in the place of one */
export async function addResponse(page: Page, sub: Request): Promise<number | null> {
  const { status, contentType, body } = await sub.run()
  if (body instanceof Uint8Array) {
    if (status !== 200 && contentType === null && body.length === 0) return status
    page.add(body)
  } else {
    await page.flush()
    for await (const piece of body) {
      page.add(piece)
      await page.flush()
    }
  }
  if (page.isFull) await page.flush()
  return null
}
