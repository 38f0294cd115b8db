#!/usr/bin/env node
// Runs the tool from the path to which npm has linked it. This file must be valid for older versions of Node.
import { fileURLToPath } from 'node:url'

const program = new URL('../lib/gatewright.mjs', import.meta.url)
if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `gatewright: needs Node 24 or newer, and this is Node ${process.versions.node}\nhint: npx --package node@24 --package gatewright gatewright ...`,
  )
  process.exit(2)
}
// The tool finds its modules beside the file that it began with.
process.argv[1] = fileURLToPath(program)
await import(program.href)
