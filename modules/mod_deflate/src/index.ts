import { defineModule, type Module } from '@gatewright/api'
import { type DeflateConfig, type DeflateServerConfig, mergeDeflateConfig, mergeDeflateServerConfig } from './config.ts'
import { DeflateFilter } from './deflate-filter.ts'
import { directives } from './directives.ts'
import { InflateFilter } from './inflate-filter.ts'
import { InflateRequestFilter } from './inflate-request-filter.ts'

const deflate: Module<DeflateConfig, DeflateServerConfig> = defineModule({
  name: 'deflate_module',
  source: 'mod_deflate.c',
  perDirectory: { create: () => ({}), merge: mergeDeflateConfig },
  perServer: { create: () => ({}), merge: mergeDeflateServerConfig },
  directives,
  register({ providers, configOf, serverConfigOf, log }) {
    const settingsOf = { directory: configOf, server: serverConfigOf }
    const compress = new DeflateFilter(settingsOf, log)
    const decompress = new InflateFilter(settingsOf, log)
    const unpack = new InflateRequestFilter(settingsOf, log)
    providers.outputFilters.add(compress.name, compress)
    providers.outputFilters.add(decompress.name, decompress)
    providers.inputFilters.add(unpack.name, unpack)
  },
})
export default deflate
