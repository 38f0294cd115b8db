import { defineConfig } from 'tsup'

// What several entries hold is in files of its own, so that a module that imports from two of them has it once.
export default defineConfig({
  entry: {
    index: 'src/index.ts',
    peers: 'src/peers.ts',
    stamp: 'src/stamp.ts',
    status: 'src/status.ts',
    text: 'src/text/index.ts',
    tracing: 'src/tracing.ts',
  },
  format: ['esm'],
  splitting: true,
  dts: true,
  clean: true,
  target: 'node24',
})
