#!/usr/bin/env node
// node build/pages/collect.ts: writes docs/differences.md from the lists of packages, programs and modules.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { COLLECTED, collectDifferences } from './differences.ts'
import { readPages } from './pages.ts'

const root = join(import.meta.dirname, '../..')
writeFileSync(join(root, COLLECTED), collectDifferences(readPages(root)))
