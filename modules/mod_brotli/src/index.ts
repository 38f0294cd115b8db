import { defineModule, type Module } from '@gatewright/api'
import { BrotliFilter } from './brotli-filter.ts'
import { type BrotliConfig, mergeBrotliConfig } from './config.ts'
import { directives } from './directives.ts'

/** Compresses responses with Brotli. */
const brotli: Module<undefined, BrotliConfig> = defineModule<undefined, BrotliConfig>({
  name: 'brotli_module',
  source: 'mod_brotli.c',
  perServer: { create: () => ({}), merge: mergeBrotliConfig },
  directives,
  register({ providers, serverConfigOf }) {
    const filter = new BrotliFilter(serverConfigOf)
    providers.outputFilters.add(filter.name, filter)
  },
})
export default brotli
