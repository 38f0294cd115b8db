import { dirname } from 'node:path'
import type { Job, Migrated } from '@gatewright/language-server'
import { ConfigFiles, type Migration, migrate, type PolicyServer, upgrade, type Variant } from '@gatewright/policy'
import { TolerantOpening } from '../tolerant-opening.ts'
import { analysedSite, isAccessFile, WITHOUT_FILES } from './analysed-site.ts'

/** Rewrites the access rules of a configuration of 2.2 for 2.4, and returns the new text of one of its files. */
export async function migrateJob(job: Job & { readonly file: string }): Promise<Migrated> {
  const before = job.texts[job.file] ?? ''
  const { files, left } = await migratedTexts(job)
  return {
    before,
    after: files.find(({ path }) => path === job.file)?.after ?? before,
    left: left.filter(({ file }) => file === job.file).map(({ line, text }) => `line ${line}: ${text}`),
  }
}

/** Rewrites the access rules of every text of a configuration of 2.2 for 2.4. */
export async function migratedTexts(job: Job): Promise<Pick<Migration, 'files' | 'left'>> {
  const upgraded = Object.fromEntries(upgrade(new ConfigFiles(new Map(Object.entries(job.texts)))).texts)
  const site = await analysedSite({ ...job, texts: upgraded })
  const texts = new Map([...site.texts, ...Object.entries(job.texts)])
  const opening = new TolerantOpening(({ line }) => line > 0)
  return migrate({
    texts,
    accessFolders: [...texts.keys()].filter(isAccessFile).map((path) => dirname(path)),
    foreign: site.madeUp,
    intent: 'exact',
    open: (variant) => opening.open(variant.texts, (readable) => openVariant(site, { ...variant, texts: readable })),
  })
}

function openVariant(
  site: Awaited<ReturnType<typeof analysedSite>>,
  { texts, folders, after, hosts = '', logins = 'known' }: Variant,
): Promise<PolicyServer> {
  return site.open({
    after: [...after, ...WITHOUT_FILES],
    source: site.sourceOf(texts),
    assumed: { folders, accessFiles: texts },
    names: { hosts, servers: ['127.0.0.1:9'], patience: 50 },
    logins,
  })
}
