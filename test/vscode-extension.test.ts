import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { MODULES } from './fixtures/staged-server.ts'

const PACKAGE = join(import.meta.dirname, '../packages/vscode')
const RUN = join(import.meta.dirname, 'fixtures/vscode/run.cjs')
const PROGRAM = join(MODULES, '../bin/gatewright')

/** What the extension did in a scripted editor, see fixtures/vscode. */
interface Seen {
  readonly commands: readonly string[]
  readonly providers: readonly string[]
  readonly languages: readonly string[]
  readonly diagnostics: readonly string[]
  readonly output: readonly string[]
  readonly errors: readonly string[]
  readonly watched: readonly string[]
}

function activated(...argv: readonly string[]): Seen {
  const { stdout, stderr, status } = spawnSync(
    'env',
    ['-u', 'NODE_OPTIONS', process.execPath, RUN, join(PACKAGE, 'dist/extension.cjs'), ...argv],
    {
      encoding: 'utf8',
    },
  )
  if (status !== 0) throw new Error(stderr)
  const seen: Seen = JSON.parse(stdout)
  return seen
}

t.before(() => {
  execFileSync(process.execPath, [join(PACKAGE, 'build.mjs')])
})

t.test('the extension starts the language server, registers what it declares, and shows its answers', async (t) => {
  const root = t.testdir({ docs: {} })
  const file = join(root, 'httpd.conf')
  writeFileSync(
    file,
    `ServerName localhost\nListen 8080\nDocumentRoot ${root}/docs\nOptoins None\n<Directory ${root}/docs>\nRequire all denied\n</Directory>\n`,
  )
  const seen = activated(PROGRAM, file)
  const manifest: { contributes: { commands: { command: string }[]; languages: { id: string }[] } } = JSON.parse(
    readFileSync(join(PACKAGE, 'package.json'), 'utf8'),
  )
  for (const { command } of manifest.contributes.commands) t.ok(seen.commands.includes(command), command)
  t.strictSame(
    seen.languages,
    manifest.contributes.languages.map(({ id }) => id),
  )
  for (const one of ['Completion', 'Hover', 'Definition', 'Reference', 'Rename', 'DocumentSymbol', 'FoldingRange', 'CodeLens'])
    t.ok(
      seen.providers.some((name) => name.startsWith(`register${one}`)),
      `${one} in ${seen.providers.join()}`,
    )
  t.match(seen.diagnostics.join('\n'), "Invalid command 'Optoins'")
  t.match(seen.output, [/\bsection\b/], 'the command of the lens asks the server who can get there')
  t.strictSame(seen.errors, [])
  t.strictSame(seen.watched, ['**/{*.conf,*.load,.htaccess}'])
})

t.test('a program that does not exist is reported with the setting that names it, and a restart tries again', async (t) => {
  const text = '/none/gatewright lsp could not be started: set gatewright.program to the program of the installed server.'
  t.strictSame(
    activated('/none/gatewright').errors.filter((error) => error.includes('gatewright.program')),
    [text, text],
  )
})
