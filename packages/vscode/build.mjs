#!/usr/bin/env node
// Bundles the extension into dist/extension.cjs: `node packages/vscode/build.mjs`. Then `vsce package --no-dependencies` packs it.
import { join } from 'node:path'
import { build } from 'esbuild'

const HERE = import.meta.dirname

await build({
  absWorkingDir: HERE,
  entryPoints: [join(HERE, 'src/extension.ts')],
  outfile: join(HERE, 'dist/extension.cjs'),
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  external: ['vscode'],
  logLevel: 'warning',
})
