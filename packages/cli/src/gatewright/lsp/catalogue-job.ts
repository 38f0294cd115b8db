import { basename } from 'node:path'
import { directiveEntries, loadConfiguration, TextSource } from '@gatewright/core'
import type { CatalogueData } from '@gatewright/language-server'
import { loadLines } from '@gatewright/policy'
import { INSTALLATION } from '../installation.ts'
import { installedModules } from '../installed-modules.ts'
import { WITHOUT_FILES } from './analysed-site.ts'
import { collectMistakes } from './collect-mistakes.ts'

const NOWHERE = '/(every module)'

/** What the modules of this installation offer. */
export async function catalogueJob(): Promise<CatalogueData> {
  const files = installedModules()
  const text = `ServerName localhost\n${loadLines(files).join('\n')}\n`
  const texts = new Map([[NOWHERE, text]])
  const { loaded, mistakes } = await collectMistakes(texts, new TextSource(texts), (source) =>
    loadConfiguration({
      ...INSTALLATION,
      isConfined: true,
      serverRoot: '/',
      configFile: NOWHERE,
      defines: [],
      before: [],
      after: WITHOUT_FILES,
      source,
      skipDocumentRootCheck: true,
      checkOnly: true,
    }),
  )
  if (loaded === null) throw new Error(mistakes.at(-1)?.message ?? 'no module can be loaded')
  const { providers } = loaded
  return {
    directives: directiveEntries(loaded),
    authz: [...providers.authz.names()],
    authn: [...providers.authn.names()],
    modules: files.map((file) => {
      const name = basename(file, '.mjs')
      return { name: `${name.replace(/^mod_/, '')}_module`, path: `modules/${name}.so` }
    }),
  }
}
