import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildModule, neededCapabilities, readModuleFile } from '@gatewright/module-kit'
import t, { type Test } from 'tap'

const DEFINITION = (more = ''): string =>
  `import { defineModule } from '@gatewright/api'\nexport default defineModule({ name: 'use_module', source: 'mod_use.c',${more} })\n`

async function built(t: Test, text: string, files: Record<string, string> = {}): Promise<string> {
  const folder = t.testdir(files)
  writeFileSync(join(folder, 'index.ts'), text)
  const outFile = join(folder, 'mod_use.mjs')
  await buildModule({ entry: join(folder, 'index.ts'), outFile })
  return outFile
}

t.test('what a module declares is in its stamp, sorted; a module that declares nothing has an empty list', async (t) => {
  const text = `import { spawn } from 'node:child_process'\n${DEFINITION(" capabilities: ['net', 'child-process']")}globalThis.x = spawn\n`
  t.strictSame(readModuleFile(await built(t, text)).stamp?.capabilities, ['child-process', 'net'])
  t.strictSame(readModuleFile(await built(t, DEFINITION())).stamp?.capabilities, [])
})

t.test('a module that imports what it does not declare is not built, and the line to write is named', async (t) => {
  const uses: readonly (readonly [string, string, string])[] = [
    ["import { readFileSync } from 'node:fs'\nglobalThis.x = readFileSync\n", 'node:fs', 'fs'],
    ["import { readFile } from 'fs/promises'\nglobalThis.x = readFile\n", 'fs/promises', 'fs'],
    ["import { connect } from 'node:tls'\nglobalThis.x = connect\n", 'node:tls', 'net'],
    ["import * as net from 'node:net'\nglobalThis.x = net\n", 'node:net', 'net'],
    ["import http from 'node:http'\nglobalThis.x = http\n", 'node:http', 'net'],
    ["import { createSocket } from 'node:dgram'\nglobalThis.x = createSocket\n", 'node:dgram', 'net'],
    ["import { Worker } from 'node:worker_threads'\nglobalThis.x = Worker\n", 'node:worker_threads', 'worker'],
    ["globalThis.x = () => import('node:child_process')\n", 'node:child_process', 'child-process'],
    ["globalThis.x = process.getBuiltinModule('fs')\n", 'fs', 'fs'],
    ["globalThis.x = () => fetch('http://x/')\n", 'fetch', 'net'],
  ]
  for (const [text, user, capability] of uses) {
    const line = `write capabilities: ['${capability}'] in defineModule`
    await t.rejects(built(t, text + DEFINITION()), {
      message: new RegExp(
        `index\\.ts:1: the module uses ${user} \\(${capability}\\), which it does not declare: ${line.replaceAll(/[[\]]/g, '\\$&')}$`,
      ),
    })
  }
})

t.test('an import in another source of the module is found there', async (t) => {
  const text = `import { x } from './deep.ts'\n${DEFINITION()}globalThis.x = x\n`
  const deep = "\nimport { statSync } from 'node:fs'\nexport const x = statSync\n"
  await t.rejects(built(t, text, { 'deep.ts': deep }), { message: /deep\.ts:2: the module uses node:fs \(fs\)/ })
})

t.test('names that only calculate, types and a function of its own that is called fetch need nothing', async (t) => {
  const text = `import { isIP, BlockList as Blocks } from 'node:net'
import { constants } from 'node:fs'
import type { Socket } from 'node:net'
function fetch(): number { return 1 }
${DEFINITION()}globalThis.x = [isIP, Blocks, constants, fetch() as unknown as Socket]\n`
  t.strictSame(readModuleFile(await built(t, text)).stamp?.capabilities, [])
})

t.test('what a bundled CommonJS package requires counts', (t) => {
  const code = 'var require_x = __commonJS({ "x.js"() { var cp = __require("child_process"); } });\nimport "node:net";\n'
  t.strictSame([...neededCapabilities(code)], [['child-process', 'child_process']])
  t.end()
})

t.test('capabilities that are computed or unknown are refused with their place', async (t) => {
  for (const more of [' capabilities: [process.argv[0]]', ' capabilities: list', " capabilities: ['root']"])
    await t.rejects(built(t, DEFINITION(`\n${more}`)), {
      message: /index\.ts:3: 'capabilities' must be an array of string literals of these: child-process, fs, net, worker$/,
    })
})

t.test('the stamp is the only thing that capabilities change', async (t) => {
  const [one, other] = [await built(t, DEFINITION()), await built(t, DEFINITION(" capabilities: ['fs']"))].map((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .slice(1)
      .join('\n')
      .replace(/\n *capabilities: \["fs"\],?/, '')
      .replaceAll(',', ''),
  )
  t.equal(one, other)
})
