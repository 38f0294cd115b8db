import { spawn } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type FileTree, serverRoot } from '@gatewright/testing'
import { freePort } from '../fixtures/free-port.ts'

/** A server that is asked. */
export interface Asked {
  readonly port: number
  /** All lines of its error log. */
  log(): readonly string[]
  stop(): Promise<void>
}

const MODULES = [
  'mpm_event',
  'authn_core',
  'authn_file',
  'auth_basic',
  'authz_core',
  'authz_host',
  'authz_user',
  'access_compat',
  'headers',
  'ssl',
]

/** Starts Apache httpd with a configuration. */
export async function startHttpd(config: string, files: FileTree): Promise<Asked> {
  const { root, remove } = serverRoot({ ...files, 'logs/.keep': '' })
  const port = await freePort()
  const lines = [
    ...MODULES.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`),
    `ServerName localhost\nListen 127.0.0.1:${port}\nUser www-data\nGroup www-data\nPidFile ${root}/pid`,
    `ErrorLog ${root}/logs/error\nErrorLogFormat "%M"\nDocumentRoot ${root}/docs`,
    config.replaceAll('@ROOT@', root),
  ]
  writeFileSync(join(root, 'httpd.conf'), `${lines.join('\n')}\n`)
  chmodSync(root, 0o755)
  const child = spawn('apache2', ['-d', root, '-f', join(root, 'httpd.conf'), '-D', 'FOREGROUND'], { stdio: 'inherit' })
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()))
  const log = (): readonly string[] => readFileSync(join(root, 'logs/error'), 'latin1').trimEnd().split('\n')
  for (let attempt = 0; child.exitCode === null; attempt++) {
    const isReady = await new Promise<boolean>((resolve) => setTimeout(() => resolve(isRunning(join(root, 'logs/error'))), 100))
    if (isReady) break
    if (attempt > 100) throw new Error('httpd does not start')
  }
  if (child.exitCode !== null) throw new Error(`httpd ended: ${log().join('\n')}`)
  return {
    port,
    log,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
      remove()
    },
  }
}

function isRunning(file: string): boolean {
  try {
    return readFileSync(file, 'latin1').includes('AH00489')
  } catch {
    return false
  }
}
