import { defineConfig } from 'tsup'

export default defineConfig({
  entry: ['src/index.ts', 'src/stores.ts', 'src/stacks.ts'],
  format: ['esm'],
  dts: true,
  clean: true,
  target: 'node24',
})
