import { DECLINED, OK } from '@gatewright/api'
import { type FileTree, site } from '@gatewright/testing'
import t from 'tap'
import { moduleOf, openModule, wordsModule } from './support/modules.ts'
import { bare } from './support/refusal.ts'

const FILES: FileTree = { 'docs/secret.txt': 'secret', 'docs/dir/x.txt': 'x' }

for (const merging of ['On', 'Off']) {
  t.test(`with MergeSlashes ${merging} modules see one slash in front of a URL from the first hook on`, async (t) => {
    const seen: string[] = []
    const module = moduleOf('seen', ({ hooks }) => {
      hooks.postReadRequest.add((request) => {
        seen.push(`${request.uri} ${request.unparsedUri}`)
        return DECLINED
      })
    })
    const server = await site({ modules: [openModule, module], config: `MergeSlashes ${merging}`, files: FILES })
    t.teardown(() => server.close())
    for (const target of ['/secret.txt', '//secret.txt', '////secret.txt?//x', '//./secret.txt', '/%2fsecret.txt']) {
      await server.inject(target)
    }
    t.same(seen, [
      '/secret.txt /secret.txt',
      '/secret.txt //secret.txt',
      '/secret.txt ////secret.txt?//x',
      '/./secret.txt //./secret.txt',
      '/%2fsecret.txt /%2fsecret.txt',
    ])
    seen.length = 0
    await server.inject({ target: 'http://host//secret.txt', headers: { Host: 'host' } })
    t.same(seen, ['//secret.txt //secret.txt'], 'the absolute form keeps them')
  })
}

t.test('an anchored pattern cannot be bypassed by a second slash, regardless of MergeSlashes', async (t) => {
  for (const merging of ['On', 'Off']) {
    const config = `MergeSlashes ${merging}\n<LocationMatch "^/secret">\nWord kept\n</LocationMatch>`
    const server = await site({ modules: [wordsModule], config, files: FILES })
    t.teardown(() => server.close())
    for (const target of ['//secret.txt', '///secret.txt', '//%73ecret.txt', '//x/../secret.txt', '//./secret.txt']) {
      t.equal((await server.inject(target)).header('X-Words'), 'kept', `${target} with MergeSlashes ${merging}`)
    }
  }
})

t.test(
  'a path that climbs above the root is refused, also behind slashes, and is shown as far as it can be resolved',
  async (t) => {
    for (const merging of ['On', 'Off']) {
      let logged = ''
      const log = moduleOf('log', ({ hooks }) => {
        hooks.logTransaction.add((request) => {
          logged = request.uri
          return OK
        })
      })
      const server = await site({ modules: [openModule, log], config: `MergeSlashes ${merging}`, files: FILES })
      t.teardown(() => server.close())
      for (const [target, resolved] of [
        ['//..', '/'],
        ['//%2e%2e/', '/'],
        ['//e/../..', '/'],
        ['//e.txt/%2e%2e/%2e%2e', '/'],
        ['/../secret.txt', '/secret.txt'],
        ['/a/../../b/./c', '/b/c'],
        ['/a/%zz/../b', '/a/b'],
      ]) {
        t.equal((await server.inject(target)).status, 400, target)
        t.equal(server.errors().map(bare).at(-1), `[core:error] AH10244: invalid URI path (${target})`)
        t.equal(logged, resolved, target)
      }
    }
  },
)

t.test('segments that escaped slashes make may climb above the root where AllowEncodedSlashes decodes them', async (t) => {
  const server = await site({ modules: [openModule], config: 'AllowEncodedSlashes On', files: FILES })
  t.teardown(() => server.close())
  t.match(await server.inject('/x/..%2f..%2f..%2fsecret.txt'), { status: 200, body: 'secret' })
})

t.test('plain Location sections see slashes that a rewrite made unless MergeSlashes is off', async (t) => {
  const rewriting = moduleOf('rewriting', ({ hooks }) => {
    hooks.translateName.add((request) => {
      if (request.uri === '/rewritten') request.uri = '//secret.txt'
      return DECLINED
    })
  })
  const found: unknown[] = []
  for (const merging of ['On', 'Off']) {
    const config = `MergeSlashes ${merging}\n<Location /secret.txt>\nWord plain\n</Location>\n<Location "/*.txt">\nWord wild\n</Location>`
    const server = await site({ modules: [openModule, wordsModule, rewriting], config, files: FILES })
    t.teardown(() => server.close())
    for (const target of ['/rewritten', '//secret.txt']) found.push((await server.inject(target)).header('X-Words'))
  }
  t.strictSame(found, ['', 'plain wild', 'plain wild', 'plain wild'])
})
