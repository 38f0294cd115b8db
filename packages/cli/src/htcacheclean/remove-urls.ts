import { urlOf } from '@gatewright/disk-cache'
import { Removal } from './removal.ts'
import type { StoredFiles } from './stored-files.ts'

/**
 * Removes all responses of URLs, and the lists of their variants.
 * @param urls in the form of -a
 * @param isDry nothing is removed
 * @returns those URLs that were found
 */
export async function removeUrls(stored: StoredFiles, urls: ReadonlySet<string>, isDry: boolean): Promise<ReadonlySet<string>> {
  const removal = new Removal(isDry)
  const found = new Set<string>()
  for (const [key, { head }] of stored.lists) {
    if (!urls.has(urlOf(key))) continue
    // Without it, no variant is found.
    removal.file(head)
    found.add(urlOf(key))
  }
  for (const entry of stored.entries) {
    if (!urls.has(entry.url)) continue
    removal.entry(entry)
    found.add(entry.url)
  }
  await removal.end()
  return found
}
