import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { ROOT } from '../inputs.cjs'
import { bundleEngine } from './bundle-engine.ts'
import { examples } from './examples.ts'
import { pageHtml } from './page-html.ts'

const PAGE = join(ROOT, 'build/playground/page')

/** What was built. Sizes are in bytes. */
export interface BuiltPlayground {
  readonly file: string
  readonly bytes: number
  /** As a server sends it. */
  readonly compressed: number
}

/** Builds the playground: one page that contains everything. */
export async function buildPlayground(folder: string): Promise<BuiltPlayground> {
  const engine = await bundleEngine()
  const script = await bundlePage()
  const style = readFileSync(join(PAGE, 'playground.css'), 'utf8')
  const policy = [
    "default-src 'none'",
    `script-src '${digest(script)}'`,
    `style-src '${digest(style)}'`,
    'img-src data:',
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ]
  const html = pageHtml({
    policy: policy.join('; '),
    style,
    script,
    examples: JSON.stringify(examples()).replaceAll('<', '\\u003c'),
    engine: gzipSync(engine.script, { level: 9 }).toString('base64'),
    licences: [...engine.licences].map(([name, text]) => `${name}\n\n${escaped(text.trim())}`).join('\n\n\n'),
  })
  const file = join(folder, 'index.html')
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, html)
  return { file, bytes: Buffer.byteLength(html), compressed: gzipSync(html, { level: 9 }).length }
}

/** The script of the page itself, in a form that its element can contain. */
async function bundlePage(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: [join(PAGE, 'main.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2024',
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
  })
  const [{ text }] = outputFiles
  if (/<\/script|<!--/i.test(text)) throw new Error('the script of the page contains the end of its element')
  return text
}

function digest(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
