import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

const ROOT = join(import.meta.dirname, '../../..')
const ENTRIES = ['peers', 'stamp', 'status', 'text', 'tracing'] as const

t.test('the root still exports the very values that have entries of their own now', async (t) => {
  const root: Record<string, unknown> = await import('@gatewright/api')
  const text: Record<string, unknown> = await import('@gatewright/api/text')
  const status: Record<string, unknown> = await import('@gatewright/api/status')
  const stamp: Record<string, unknown> = await import('@gatewright/api/stamp')
  const peers: Record<string, unknown> = await import('@gatewright/api/peers')
  t.equal(root.escapeHtml, text.escapeHtml)
  t.equal(root.addCounters, status.addCounters)
  t.equal(root.parseStamp, stamp.parseStamp)
  t.equal(root.satisfyOf, peers.satisfyOf)
  t.notOk(Object.values(root).includes(undefined))
})

t.test('our own sources import a name from its entry, not from the root', (t) => {
  const moved = movedNames()
  t.ok(moved.size > 90, `${moved.size} names`)
  const files = globSync(['packages/*/src/**/*.ts', 'modules/*/src/**/*.ts'], { cwd: ROOT })
  t.ok(files.length > 900, `${files.length} files`)
  const strays = files.flatMap((file) => {
    const source = readFileSync(join(ROOT, file), 'utf8')
    const imports = source.matchAll(/^(?:import|export) (?:type )?\{([^}]*)\} from '@gatewright\/api'$/gm)
    return [...imports].flatMap(([, names]) =>
      names
        .split(',')
        .map((name) =>
          name
            .trim()
            .replace(/^type /, '')
            .replace(/ as .*/, ''),
        )
        .flatMap((name) => (moved.has(name) ? [`${file}: ${name} belongs to @gatewright/api/${moved.get(name)}`] : [])),
    )
  })
  t.strictSame(strays, [])
  t.end()
})

/** Names that the root keeps for older modules, each with its entry, as the report of the API lists them. */
function movedNames(): Map<string, string> {
  const report = readFileSync(join(ROOT, 'packages/api/api-report.md'), 'utf8')
  return new Map(
    ENTRIES.flatMap((entry) => {
      const [, names = ''] = new RegExp(`^@gatewright/api/${entry}\\n((?:  \\w+\\n)+)`, 'm').exec(report) ?? []
      return names
        .trim()
        .split(/\s+/)
        .map((name): [string, string] => [name, entry])
    }),
  )
}
