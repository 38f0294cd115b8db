// npm run oracle:migrate-trees [-- --seed N --first I --count M --program PATH]: makes random folders of .htaccess files,
// rewrites each with `gatewright migrate`, and compares each with another random folder by `gatewright prove`. If the exit
// status means that nothing changes, Apache httpd serves both folders, inside a section that denies access, and must
// decide every request alike. `--program` names the gatewright of another build. Needs apache2 2.4.
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { freePort } from '../fixtures/free-port.ts'
import { runProgram } from '../fixtures/gatewright.ts'
import { Random } from '../fixtures/random.ts'
import { askApache, startApache } from './apache.ts'
import { ConfigGenerator, placed } from './config-generator.ts'

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    first: { type: 'string', default: '0' },
    count: { type: 'string', default: '20' },
    program: { type: 'string', default: join(import.meta.dirname, '../../dist/bin/gatewright') },
  },
})

/** The names that the server of the folders denies access to, as in the stock configuration of 2.4. */
const BAN = '<Files ".ht*">\nRequire all denied\n</Files>\n'
const FOLDERS = ['', 'a/', 'a/b/', 'c/']
const FILES = ['x.txt', 'x.inc', '.htaccess', '.htpasswd']
const CLIENTS = ['10.1.2.3', '192.168.1.1', '203.0.113.9']
const LOGINS = [null, 'bob:bobpw', 'alice:alicepw', 'bob:wrong']
const SIDES = ['old', 'migrated', 'other'] as const
type Side = (typeof SIDES)[number]

/** Two folders that the program calls equal. */
interface Pair {
  readonly name: string
  readonly command: 'migrate' | 'prove'
  readonly after: Side
}

const root = mkdtempSync(join(tmpdir(), 'oracle-migrate-trees-'))
try {
  chmodSync(root, 0o755)
  process.exitCode = await run()
} finally {
  rmSync(root, { recursive: true, force: true })
}

/** @returns the exit status */
async function run(): Promise<number> {
  writeFileSync(join(root, 'users'), 'bob:{SHA}KXV5lfOmXj1HOy0eE1tRGdIyUHw=\nalice:{SHA}pXcenXUnxGz6jD4dFmSXV63E49g=\n')
  writeFileSync(join(root, 'groups'), 'staff: alice\n')
  const first = Number(options.first)
  const names = Array.from({ length: Number(options.count) }, (_, index) => `t${first + index}`)
  const equal: Pair[] = []
  for (const [index, name] of names.entries()) equal.push(...(await equalPairs(first + index, name)))
  const port = await freePort()
  const around = (side: Side): string => `<Directory "${root}/${side}">\nAllowOverride All\nOptions None\n</Directory>\n${BAN}`
  const apache = await startApache(root, port, Object.fromEntries(SIDES.map((side) => [side, around(side)])))
  let wrong = 0
  let requests = 0
  try {
    for (const pair of equal) {
      const asked = await differences(pair, port)
      requests += asked.requests
      if (asked.found.length === 0) continue
      wrong++
      console.log(`--- ${pair.name}: ${pair.command} says that nothing changes\n${asked.found.slice(0, 4).join('\n')}`)
    }
  } finally {
    await apache.stop()
  }
  console.log(
    `seed ${options.seed}: ${names.length} folders, ${equal.length} claims that nothing changes, ${requests} requests put to httpd on both sides`,
  )
  console.log(`${equal.length - wrong} passed, ${wrong} failed`)
  return wrong > 0 || requests === 0 ? 1 : 0
}

/** Writes the folders of a case, and runs the program on them. */
async function equalPairs(index: number, name: string): Promise<Pair[]> {
  const generator = new ConfigGenerator(new Random(Number(options.seed) * 1_000_003 + index))
  const before = generator.accessFilesOf(FOLDERS)
  const place = (side: Side): string => join(root, side, name)
  writeTree(place('old'), before)
  cpSync(place('old'), place('migrated'), { recursive: true })
  writeTree(place('other'), generator.changed(before))
  const migrated = await runProgram(options.program, ['migrate', '--in-place', '--limit', '3000', place('migrated')], root)
  const proved = await runProgram(options.program, ['prove', '--limit', '3000', place('old'), place('other')], root)
  return [
    ...(migrated.status === 0 ? [{ name, command: 'migrate', after: 'migrated' } as const] : []),
    ...(proved.status === 0 ? [{ name, command: 'prove', after: 'other' } as const] : []),
  ]
}

/** Every folder has all files, so that a missing file is never confused with a denied one. */
function writeTree(folder: string, accessFiles: Readonly<Record<string, string>>): void {
  const { accessFiles: texts } = placed({ sections: '', included: {}, accessFiles }, root)
  for (const below of FOLDERS)
    for (const file of FILES) {
      const path = join(folder, below, file)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, file === '.htaccess' ? (texts[below] ?? '') : 'x')
    }
}

async function differences(
  { name, after }: Pair,
  port: number,
): Promise<{ readonly requests: number; readonly found: readonly string[] }> {
  const found: string[] = []
  let requests = 0
  for (const file of FOLDERS.flatMap((folder) => FILES.map((one) => folder + one)))
    for (const client of CLIENTS)
      for (const login of LOGINS)
        for (const method of ['GET', 'POST']) {
          const headers: Record<string, string> = { 'X-Client': client }
          if (login !== null) headers.Authorization = `Basic ${Buffer.from(login).toString('base64')}`
          const ask = async (host: Side): Promise<string> =>
            decision((await askApache({ port, host, method, target: `/${name}/${file}`, headers })).status)
          const [old, now] = await Promise.all([ask('old'), ask(after)])
          requests++
          if (old !== now) found.push(`${method} /${name}/${file} from ${client} as ${login}: ${old}, then ${now}`)
        }
  return { requests, found }
}

/** A file refuses POST with 405 once access is granted. */
function decision(status: number): string {
  return [401, 403, 500].includes(status) ? String(status) : 'granted'
}
