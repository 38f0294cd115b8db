import { contexts, defineModule, directive, type Module } from '@gatewright/api'
import { type CernMetaConfig, mergeCernMetaConfig } from './config.ts'
import { MetaFiles } from './meta-files.ts'

const INDEXES = { scope: 'directory', context: contexts.anywhere, override: 'Indexes' } as const

/** Adds the header fields that stand in a file beside the requested one. */
const cernMeta: Module<CernMetaConfig> = defineModule({
  name: 'cern_meta_module',
  source: 'mod_cern_meta.c',
  perDirectory: { create: () => ({}), merge: mergeCernMetaConfig },
  directives: {
    MetaFiles: directive.flag<CernMetaConfig>({
      ...INDEXES,
      help: "Limited to 'on' or 'off'",
      set: (config, on) => {
        config.enabled = on
      },
    }),
    MetaDir: directive.take1<CernMetaConfig>({
      ...INDEXES,
      help: 'the name of the directory containing meta files',
      set: (config, folder) => {
        config.folder = folder
      },
    }),
    MetaSuffix: directive.take1<CernMetaConfig>({
      ...INDEXES,
      help: 'the filename suffix for meta files',
      set: (config, suffix) => {
        config.suffix = suffix
      },
    }),
  },
  register({ hooks, configOf, services, log }) {
    const files = new MetaFiles(configOf, services, log)
    hooks.fixups.add((request) => files.apply(request))
  },
})
export default cernMeta
