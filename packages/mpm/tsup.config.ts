import { defineConfig } from 'tsup'

export default defineConfig({
  entry: ['src/index.ts', 'src/role.ts', 'src/reader.ts', 'src/worker.ts', 'src/supervisor.ts', 'src/compile-cache.ts'],
  format: ['esm'],
  dts: true,
  clean: true,
  target: 'node24',
})
