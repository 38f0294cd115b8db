import { contexts, defineModule, directive, type Module } from '@gatewright/api'
import { type ImagemapConfig, mergeImagemapConfig } from './config.ts'
import { ImageMapHandler } from './image-map-handler.ts'

const INDEXES = { scope: 'directory', context: contexts.anywhere, override: 'Indexes' } as const

/** Leads clicks on images to the URLs that a map file has for their places. */
const imagemap: Module<ImagemapConfig> = defineModule({
  name: 'imagemap_module',
  source: 'mod_imagemap.c',
  perDirectory: { create: () => ({}), merge: mergeImagemapConfig },
  directives: {
    ImapMenu: directive.take1<ImagemapConfig>({
      ...INDEXES,
      help: 'the type of menu generated: none, formatted, semiformatted, unformatted',
      set: (config, menu) => {
        config.menu = menu
      },
    }),
    ImapDefault: directive.take1<ImagemapConfig>({
      ...INDEXES,
      help: 'the action taken if no match: error, nocontent, referer, menu, URL',
      set: (config, action) => {
        config.fallback = action
      },
    }),
    ImapBase: directive.take1<ImagemapConfig>({
      ...INDEXES,
      help: "the base for all URL's: map, referer, URL (or start of)",
      set: (config, base) => {
        config.base = base
      },
    }),
  },
  register({ hooks, configOf, services, log }) {
    const handler = new ImageMapHandler({ configOf, services, log })
    hooks.handler.add((request) => handler.handle(request))
  },
})
export default imagemap
