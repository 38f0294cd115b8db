import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CgiHead, FastcgiExchange } from '@gatewright/fastcgi'
import { UpstreamError } from '@gatewright/upstream'
import type { FpmPool } from './fpm-pool.ts'
import type { PhpSettings } from './settings.ts'

/** Bit of a setting that may be changed for a folder. */
const PER_FOLDER = 2
const SCRIPT = "<?php foreach (ini_get_all() as $name => $setting) echo $name, '=', $setting['access'], \"\\n\";"
const TIMEOUT = 15_000

/** Who may change a setting, by its name: bits as in PHP's ini_get_all. */
export type AccessLevels = ReadonlyMap<string, number>

/** Asks PHP. @throws Error if it does not answer */
export async function readAccessLevels(pool: FpmPool): Promise<AccessLevels> {
  const folder = mkdtempSync(join(tmpdir(), 'gatewright-php-'))
  const file = join(folder, 'settings.php')
  writeFileSync(file, SCRIPT, { mode: 0o600 })
  try {
    const text = await outputOf(pool, file)
    const levels = new Map<string, number>()
    for (const [, name, access] of text.matchAll(/^(.+)=(\d+)$/gm)) levels.set(name, Number(access))
    return levels
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Without those that php_value and php_flag cannot change, as in mod_php: PHP-FPM itself would take them. */
export function allowed(settings: PhpSettings, levels: AccessLevels): PhpSettings {
  return new Map([...settings].filter(([name, { isAdmin }]) => isAdmin || ((levels.get(name) ?? 0) & PER_FOLDER) !== 0))
}

async function outputOf(pool: FpmPool, file: string): Promise<string> {
  const connection = await pool.connect()
  if (connection instanceof UpstreamError) throw connection
  const params = [
    ['SCRIPT_FILENAME', file],
    ['SCRIPT_NAME', '/settings.php'],
    ['REQUEST_METHOD', 'GET'],
  ] as const
  return new Promise((resolve, reject) => {
    let text = ''
    new FastcgiExchange(
      connection,
      { params, keepConnection: false, body: null, streams: false, timeout: TIMEOUT },
      {
        onHead: (_head: CgiHead) => undefined,
        onData: (chunk) => {
          text += chunk.toString('latin1')
        },
        onEnd: () => resolve(text),
        onError: reject,
        onStderr: () => undefined,
      },
    )
  })
}
