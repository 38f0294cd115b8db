import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from './chromium.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe-core finds on a page, as `RULE: ELEMENT`: contrast, names, landmarks, order of headings and others. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(`${AXE}; true`)
  const found = await page.evaluate(
    'axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.slice(0, 5).map(({ html }) => `${id}: ${html.slice(0, 160)}`)))',
  )
  if (!Array.isArray(found)) throw new Error('axe-core has reported nothing')
  return found.map(String)
}
