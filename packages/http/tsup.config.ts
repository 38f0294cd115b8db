import { defineConfig } from 'tsup'

export default defineConfig({
  entry: ['src/index.ts', 'src/messages.ts'],
  format: ['esm'],
  dts: true,
  clean: true,
  target: 'node24',
})
