import { defineModule, type Module } from '@gatewright/api'
import { assignTypes } from './assign-types.ts'
import { createMimeConfig, type MimeConfig, type MimeServerConfig, mergeMimeConfig } from './config.ts'
import { directives } from './directives.ts'
import type { MediaType } from './media-type.ts'
import { loadTypesFile } from './types-file.ts'

const mime: Module<MimeConfig, MimeServerConfig> = defineModule({
  name: 'mime_module',
  source: 'mod_mime.c',
  capabilities: ['fs'],
  perDirectory: { create: createMimeConfig, merge: mergeMimeConfig },
  perServer: { create: () => ({}), merge: (base, over) => ({ typesFile: over.typesFile ?? base.typesFile }) },
  directives,
  register({ hooks, configOf, serverConfigOf, log }) {
    let types: ReadonlyMap<string, MediaType> = new Map()
    hooks.postConfig.add(({ servers, typesConfig }) => {
      const [main] = servers
      const loaded = loadTypesFile(serverConfigOf(main).typesFile ?? typesConfig)
      if ('error' in loaded) {
        log.write(main, 'error', 'AH01597', `could not open mime types config file ${loaded.path}.`, loaded.error)
        // The error has been logged.
        return ''
      }
      types = loaded.types
      return undefined
    })
    hooks.typeChecker.add((request) => assignTypes(request, configOf(request), types, log))
  },
})
export default mime
