import { SectionReader } from '../site/bound-section.ts'
import { type Chain, findChains } from '../site/chains.ts'
import { ConfigFiles } from '../site/config-files.ts'
import type { SiteToMeet } from '../site/meet-sections.ts'
import type { Remark } from '../site/remark.ts'
import type { Variant } from '../site/variant.ts'
import { collapse } from './collapse.ts'
import { GuardReadings } from './guard-readings.ts'

/** The files without guards between the dialects, as read by a server that receives the same requests. */
export async function collapseGuards(
  variant: Variant,
  chains: readonly Chain[],
  open: SiteToMeet['open'],
): Promise<{ readonly after: ReadonlyMap<string, string>; readonly kept: readonly Remark[] }> {
  const files = new ConfigFiles(variant.texts)
  const server = await open(variant)
  try {
    const reader = new SectionReader(server, files)
    await findChains(
      server,
      reader,
      chains.map(({ question }) => question),
    )
    const readings = new GuardReadings(server, reader)
    const collapsed = files.paths.map((path) => ({ path, ...collapse(files.document(path)?.items ?? [], readings) }))
    return {
      after: new Map(collapsed.map(({ path, text }) => [path, text])),
      kept: collapsed.flatMap(({ path, kept }) => kept.map(({ line, reason }) => ({ file: path, line, text: reason }))),
    }
  } finally {
    await server.close()
  }
}
