import { defineConfig } from 'tsup'

// The API package is bundled from source: module packages load this one's dist while they build, before anything else may exist.
export default defineConfig({
  entry: ['src/index.ts', 'src/config-vars.ts', 'src/configure/index.ts', 'src/module-file.ts', 'src/place.ts'],
  format: ['esm'],
  dts: true,
  clean: true,
  target: 'node24',
  removeNodeProtocol: false,
  noExternal: ['@gatewright/api'],
  esbuildOptions(options) {
    options.conditions = ['gatewright-source']
  },
})
