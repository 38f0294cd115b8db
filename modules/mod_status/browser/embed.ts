// node modules/mod_status/browser/embed.ts: makes src/live-script.ts of the scripts in this folder. To be run when one of them was changed; a test tells.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

const TARGET = join(import.meta.dirname, '../src/live-script.ts')

/** The scripts as one, for an inline element. */
export async function liveScript(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'main.ts')],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    charset: 'ascii',
    legalComments: 'none',
  })
  // `</script` would end the element that it stands in.
  return outputFiles[0].text.trim().replaceAll('</', '<\\/')
}

function asSource(script: string): string {
  const literal = JSON.stringify(script).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `/** Made by browser/embed.ts of the scripts beside it: not to be changed here. */\nexport const LIVE_SCRIPT: string =\n  '${literal}'\n`
}

if (process.argv[1] === import.meta.filename) writeFileSync(TARGET, asSource(await liveScript()))
