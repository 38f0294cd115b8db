import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { OK } from '@gatewright/api'
import { type FileTree, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import { moduleOf, wordsModule } from './support/modules.ts'
import { bare } from './support/refusal.ts'
import { withoutRights } from './support/rights.ts'

const OVERRIDE_ALL = '<Directory @ROOT@/docs>\nAllowOverride All\n</Directory>'

async function serve(t: Test, files: FileTree, config = OVERRIDE_ALL): Promise<TestServer> {
  const server = await site({ modules: [wordsModule], config, files })
  t.teardown(() => server.close())
  return server
}

/**
 * Changes take effect in the next turn of the event loop; requests without a socket would all be served in
 * one.
 */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A folder `docs` with links: to a file, to a folder, to nothing, and to a file of another user. */
async function linked(t: Test, config: string, files: FileTree = {}): Promise<TestServer> {
  const server = await serve(t, { 'docs/real/f': 'content', 'docs/plain': 'plain', ...files }, config)
  const docs = join(server.serverRoot, 'docs')
  symlinkSync('real/f', join(docs, 'file'))
  symlinkSync('real', join(docs, 'folder'))
  symlinkSync('none', join(docs, 'dangling'))
  symlinkSync(docs, join(docs, 'real/up'))
  return server
}

/** The Options of the folder, and the statuses of /file, /folder/f, /real/up/plain and /dangling. */
const LINKS: readonly (readonly [string, readonly [number, number, number, number]])[] = [
  ['', [200, 200, 200, 403]],
  ['Options FollowSymLinks', [200, 200, 200, 403]],
  ['Options None', [403, 403, 403, 403]],
  ['Options -FollowSymLinks', [403, 403, 403, 403]],
  ['Options Indexes', [403, 403, 403, 403]],
  ['Options SymLinksIfOwnerMatch', [200, 200, 200, 403]],
  ['Options FollowSymLinks SymLinksIfOwnerMatch', [200, 200, 200, 403]],
]

for (const [options, statuses] of LINKS) {
  t.test(
    `with ${options === '' ? 'no Options' : options} links are ${statuses[0] === 200 ? 'followed' : 'refused'}`,
    async (t) => {
      const server = await linked(t, `<Directory @ROOT@/docs>\n${options}\n</Directory>`)
      const targets = ['/file', '/folder/f', '/real/up/plain', '/dangling']
      for (const [index, target] of targets.entries()) t.equal((await server.inject(target)).status, statuses[index], target)
      t.equal((await server.inject('/real/f')).status, 200)
      const refused = targets.filter((_, index) => statuses[index] === 403).length
      t.equal(
        server.errors().filter((line) => / AH00037: Symbolic link not allowed or link target not accessible: /.test(line)).length,
        refused,
      )
    },
  )
}

t.test('a link that leads to itself, or through such a link, is refused as one whose target is not accessible', async (t) => {
  const server = await linked(t, '<Directory @ROOT@/docs>\nOptions FollowSymLinks\n</Directory>')
  const docs = join(server.serverRoot, 'docs')
  symlinkSync('loop', join(docs, 'loop'))
  symlinkSync('loop/x', join(docs, 'through'))
  for (const target of ['/loop', '/loop/', '/loop/x', '/through']) t.equal((await server.inject(target)).status, 403, target)
  const refused = server
    .errors()
    .filter((line) => / AH00037: Symbolic link not allowed or link target not accessible: /.test(line))
  t.equal(refused.length, 4)
})

t.test('a link whose owner is not the owner of its target is refused where owners have to match', async (t) => {
  if (process.geteuid?.() !== 0) return t.comment('only root can give files away')
  for (const options of ['SymLinksIfOwnerMatch', '+SymLinksIfOwnerMatch', 'FollowSymLinks SymLinksIfOwnerMatch']) {
    const server = await linked(t, `<Directory @ROOT@/docs>\nOptions ${options}\n</Directory>`)
    chownSync(join(server.serverRoot, 'docs/real/f'), 1, 1)
    t.equal((await server.inject('/file')).status, 403, options)
    t.equal((await server.inject('/real/f')).status, 200, options)
  }
})

t.test('a link that loops, or leads where the server may not go, is refused as a link', async (t) => {
  const server = await serve(t, { 'docs/locked/in/f': 'secret' })
  const docs = join(server.serverRoot, 'docs')
  symlinkSync('loop', join(docs, 'loop'))
  symlinkSync('locked/in/f', join(docs, 'into'))
  chmodSync(server.serverRoot, 0o755)
  chmodSync(join(docs, 'locked'), 0o000)
  await withoutRights(async () => {
    for (const target of ['/loop', '/loop/x', '/into']) t.equal((await server.inject(target)).status, 403, target)
  })
  t.match(
    server.errors().map(bare),
    ['loop', 'loop', 'into'].map(
      (name) => `[core:error] AH00037: Symbolic link not allowed or link target not accessible: ${docs}/${name}`,
    ),
  )
})

t.test('links are checked against the Options of the folders above them, regardless of Location', async (t) => {
  const late = await linked(
    t,
    '<Directory @ROOT@/docs>\nOptions None\n</Directory>\n<Location />\nOptions FollowSymLinks\n</Location>',
  )
  t.equal((await late.inject('/file')).status, 403)
  const inner = await linked(
    t,
    '<Directory @ROOT@/docs/real>\nOptions None\n</Directory>\n<Directory @ROOT@/docs>\nOptions FollowSymLinks\n</Directory>',
  )
  t.equal((await inner.inject('/file')).status, 200)
  t.equal((await inner.inject('/real/up/plain')).status, 403)
  const htaccess = await linked(t, OVERRIDE_ALL, { 'docs/.htaccess': 'Options -FollowSymLinks' })
  t.equal((await htaccess.inject('/file')).status, 403)
})

t.test('the name of a request that is refused ends at the link, and no section counts for what it leads to', async (t) => {
  const told: string[] = []
  const teller = moduleOf('teller', ({ hooks }) => {
    hooks.logTransaction.add((request) => {
      told.push(`${request.filename.slice(request.server.documentRoot.length)} ${request.pathInfo}`)
      return OK
    })
  })
  const files = { 'docs/real/f': 'content', 'docs/broken/.htaccess': 'Nonsense', 'docs/page': 'page' }
  const config = `${OVERRIDE_ALL}\n<Directory @ROOT@/docs>\nOptions None\nErrorDocument 403 /page\n</Directory>`
  const server = await site({ modules: [wordsModule, teller], config, files })
  t.teardown(() => server.close())
  symlinkSync('real', join(server.serverRoot, 'docs/folder'))
  symlinkSync('none', join(server.serverRoot, 'docs/dangling'))
  for (const [target, status] of [
    ['/folder/f', 403],
    ['/folder/', 403],
    ['/dangling/x', 403],
    ['/broken/deep/x', 500],
  ] as const) {
    const answer = await server.inject(target)
    t.equal(answer.status, status, target)
    t.match(answer.body, `<title>${status} `, 'the page of the section is not sent')
  }
  t.strictSame(told, ['/folder /f', '/folder /', '/dangling /x', '/broken/ /deep/x'])
})

t.test('a link may be refused from one request to the next', async (t) => {
  const server = await serve(t, { 'docs/real/f': 'content' }, '<Directory @ROOT@/docs>\nOptions None\n</Directory>')
  t.equal((await server.inject('/real/f')).status, 200)
  rmSync(join(server.serverRoot, 'docs/real/f'))
  symlinkSync('/etc/passwd', join(server.serverRoot, 'docs/real/f'))
  await nextTurn()
  t.equal((await server.inject('/real/f')).status, 403)
})

t.test('a file or folder that may not be read is refused with its reason', async (t) => {
  const server = await serve(
    t,
    { 'docs/f': 'secret', 'docs/locked/f': 'secret' },
    '<Directory @ROOT@/docs>\nAllowOverride None\n</Directory>',
  )
  chmodSync(server.serverRoot, 0o755)
  chmodSync(join(server.serverRoot, 'docs/f'), 0o000)
  chmodSync(join(server.serverRoot, 'docs/locked'), 0o000)
  const root = server.serverRoot
  await withoutRights(async () => {
    t.match(await server.inject('/f'), { status: 403 })
    t.match(await server.inject('/locked/f'), { status: 403 })
  })
  t.match(server.errors(), [
    new RegExp(`\\(13\\)Permission denied: \\[client \\S+\\] AH00132: file permissions deny server access: ${root}/docs/f$`),
    new RegExp(
      `\\(13\\)Permission denied: \\[client \\S+\\] AH00035: access to /locked/f denied \\(filesystem path '${root}/docs/locked/f'\\) because search permissions are missing on a component of the path$`,
    ),
  ])
})

t.test('what is neither file nor folder is refused', async (t) => {
  const server = await serve(t, {}, '')
  const fifo = join(server.serverRoot, 'docs/fifo')
  execFileSync('mkfifo', [fifo])
  t.equal((await server.inject('/fifo')).status, 403)
  t.match(server.errors().map(bare), [`[core:error] AH00038: Forbidden: ${fifo} doesn't point to a file or directory`])
})

t.test('a name that no file system accepts is rejected without an error', async (t) => {
  const server = await serve(t, {}, '')
  const long = 'x'.repeat(300)
  t.equal((await server.inject(`/${long}`)).status, 403)
  t.match(server.errors().map(bare)[0], /\(36\)File name too long: AH00036: access to \/x+ failed \(filesystem path '/)
  t.equal((await server.inject(`/${'y/'.repeat(2500)}`)).status, 403)
  t.match(server.errors().map(bare)[1], /\(36\)File name too long: AH00127: Cannot map GET \/y.* HTTP\/1\.1 to file$/)
})
