/** Measures completion of `gatewright lsp` in a tree of 5,000 lines: `node test/editor/completion-times.ts`. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Editor } from '../fixtures/editor.ts'
import { MODULES } from '../fixtures/staged-server.ts'

const SITES = 100
const ROUNDS = 400

const root = mkdtempSync(join(tmpdir(), 'gatewright-completion-'))
try {
  await measure()
} finally {
  rmSync(root, { recursive: true, force: true })
}

async function measure(): Promise<void> {
  mkdirSync(join(root, 'sites-enabled'))
  const main = join(root, 'apache2.conf')
  const text = 'ServerName localhost\nListen 8080\nIncludeOptional sites-enabled/*.conf\n'
  writeFileSync(main, text)
  const site = (index: number): string =>
    [
      `<VirtualHost *:8080>`,
      `  ServerName site${index}.example`,
      `  DocumentRoot ${root}`,
      ...Array.from({ length: 11 }, (_, at) => [
        `  <Location /${at}>`,
        '    Options None',
        '    Require all granted',
        '  </Location>',
      ]).flat(),
      '</VirtualHost>',
      '',
      '',
      '',
    ].join('\n')
  for (let index = 0; index < SITES; index++) writeFileSync(join(root, 'sites-enabled', `${index}.conf`), site(index))
  const editor = await Editor.start({ program: join(MODULES, '../bin/gatewright'), folder: root })
  const edited = join(root, 'sites-enabled/7.conf')
  await editor.open(main, text)
  await editor.open(edited, site(7))
  await editor.until(edited, () => true)
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    // As a person types: each character is a change, followed by a request; checks run meanwhile.
    const line = 4 + (round % 40)
    await editor.change(edited, 'R', { start: { line, character: 0 }, end: { line, character: 0 } })
    const start = performance.now()
    const items = await editor.complete(edited, line, round % 2)
    times.push(performance.now() - start)
    if (round === 0) console.log(`${items.length} items`)
    await editor.change(edited, '', { start: { line, character: 0 }, end: { line, character: 1 } })
  }
  times.sort((a, b) => a - b)
  const at = (part: number): string => (times[Math.floor(times.length * part)] ?? Number.NaN).toFixed(1)
  console.log(`completion of ${ROUNDS} positions: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms`)
  await editor.close()
}
