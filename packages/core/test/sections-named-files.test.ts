import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type FileTree, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import { wordsModule } from './support/modules.ts'
import { bare } from './support/refusal.ts'

const FILES: FileTree = { 'docs/b.txt': 'b', 'docs/sub/c.txt': 'c' }

async function serve(t: Test, config: string, files: FileTree = FILES): Promise<TestServer> {
  const server = await site({ modules: [wordsModule], config, files })
  t.teardown(() => server.close())
  return server
}

/** The Options of the folder, and whether `<Directory>` sections that match its files apply. */
const OPTIONS: readonly (readonly [string, boolean])[] = [
  ['', true],
  ['Options FollowSymLinks', true],
  ['Options All', true],
  ['Options Indexes FollowSymLinks', true],
  ['Options None', false],
  ['Options Indexes', false],
  ['Options -FollowSymLinks', false],
  ['Options SymLinksIfOwnerMatch', false],
  ['Options FollowSymLinks SymLinksIfOwnerMatch', false],
  ['Options +SymLinksIfOwnerMatch', false],
]

for (const [options, counts] of OPTIONS) {
  t.test(
    `with ${options === '' ? 'no Options' : options} a Directory section that fits a file ${counts ? 'counts' : 'is passed over'}`,
    async (t) => {
      for (const named of ['docs/b.txt', 'docs/b.txt/', 'docs/[bx]*', 'd*/b.txt']) {
        const folder = `<Directory @ROOT@/docs>\n${options}\n</Directory>`
        const server = await serve(t, `${folder}\n<Directory "@ROOT@/${named}">\nWord named\n</Directory>`)
        t.equal((await server.inject('/b.txt')).header('X-Words'), counts ? 'named' : '', named)
        t.equal((await server.inject('/b.txt/more')).header('X-Words'), '', `${named} with path info`)
      }
    },
  )
}

t.test('patterns apply to a file regardless of the Options for links', async (t) => {
  const config = '<Directory @ROOT@/docs>\nOptions None\n</Directory>\n<DirectoryMatch "b\\.txt$">\nWord match\n</DirectoryMatch>'
  t.equal((await (await serve(t, config)).inject('/b.txt')).header('X-Words'), 'match')
})

t.test('the Options of the folder that holds the file decide, those of its .htaccess file included', async (t) => {
  const config =
    '<Directory @ROOT@/docs>\nAllowOverride All\nOptions None\n</Directory>\n<Directory @ROOT@/docs/*/c.txt>\nWord named\n</Directory>'
  const server = await serve(t, config, { ...FILES, 'docs/sub/.htaccess': 'Options FollowSymLinks' })
  t.equal((await server.inject('/sub/c.txt')).header('X-Words'), 'named')
  const late = await serve(t, `${config}\n<Location />\nOptions FollowSymLinks\n</Location>`)
  t.equal((await late.inject('/sub/c.txt')).header('X-Words'), '', 'Location comes too late')
})

t.test('a section names a link by its own path, not by that of its target', async (t) => {
  const server = await serve(
    t,
    '<Directory @ROOT@/docs/b.txt>\nWord target\n</Directory>\n<Directory @ROOT@/docs/link>\nWord link\n</Directory>',
  )
  symlinkSync('b.txt', join(server.serverRoot, 'docs/link'))
  t.equal((await server.inject('/link')).header('X-Words'), 'link')
})

t.test(
  'a .htaccess file that is a loop of links, or not a file, denies access to its folder, and the reason is logged',
  async (t) => {
    const folder = '<Directory @ROOT@/docs>\nAllowOverride All\n</Directory>'
    const server = await serve(t, folder)
    const path = join(server.serverRoot, 'docs/.htaccess')
    symlinkSync('.htaccess', path)
    t.equal((await server.inject('/b.txt')).status, 403)
    t.match(server.errors().map(bare), [
      /^\[core:crit\] \(40\)Too many levels of symbolic links: AH00529: .*\.htaccess pcfg_openfile:/,
    ])
    rmSync(path)
    symlinkSync('/dev/null', path)
    await new Promise((resolve) => setImmediate(resolve))
    t.equal((await server.inject('/b.txt')).status, 403)
    const [, notRegular, unreadable] = server.errors()
    t.match(
      notRegular,
      /\[core:error\] \[pid \d+(:tid \d+)?\] AH00554: Access to file .*\.htaccess denied by server: not a regular file$/,
    )
    t.match(unreadable, /\[core:crit\] .*\(9\)Bad file descriptor: \[client .*\] AH00529: /)
  },
)
