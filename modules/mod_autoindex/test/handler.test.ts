import { DECLINED, defineModule, type Request } from '@gatewright/api'
import { anyMethod, type InjectOptions, moduleLog, site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import autoindex from '../src/index.ts'

interface Changes extends Partial<InjectOptions> {
  readonly options?: string
  readonly lines?: string
}

interface Handled {
  readonly status: number
  /** True if the module has declined, so that another handler responds. */
  readonly isDeclined: boolean
  readonly logged: readonly string[]
}

/** A request for a folder that is gone when it is handled. */
async function handled(t: Test, { options = 'Indexes', lines = '', ...request }: Changes): Promise<Handled> {
  const vanishing = defineModule({
    name: 'vanishing_module',
    source: 'mod_vanishing.c',
    register({ hooks }) {
      hooks.fixups.add((request: Request) => {
        if (request.uri === '/d/') request.filename = '/nowhere/at/all/'
        return DECLINED
      })
    },
  })
  const server = await site({
    modules: [authzCore, vanishing, autoindex, anyMethod],
    config: `<Directory "@ROOT@/docs">\nOptions ${options}\n${lines}\n</Directory>`,
    files: { 'docs/d/f.txt': 'x' },
  })
  t.teardown(() => server.close())
  const { status, body } = await server.inject({ target: '/d/', ...request })
  return { status, isDeclined: status === 200 && body.startsWith('/d/'), logged: moduleLog(server, 'autoindex') }
}

t.test('a folder that cannot be read is refused, and the log gives the reason', async (t) => {
  const { status, logged } = await handled(t, {})
  t.equal(status, 403)
  t.strictSame(logged, ["error (2)No such file or directory: AH01275: Can't open directory for index: /nowhere/at/all/"])
})

t.test('files, other handlers and other methods are left to other modules', async (t) => {
  const others: readonly Changes[] = [
    { target: '/d/f.txt' },
    { target: '/d/none' },
    { lines: 'SetHandler other' },
    { method: 'POST' },
  ]
  for (const changes of others) t.match(await handled(t, changes), { isDeclined: true, logged: [] })
})

t.test('if the body is refused, that is the outcome, and the folder is not opened', async (t) => {
  const { status, logged } = await handled(t, { lines: 'LimitRequestBody 1', body: 'xx' })
  t.equal(status, 413)
  t.notMatch(logged.join('\n'), 'AH01275')
})

t.test('without index names the refusal is logged with `none`', async (t) => {
  const { status, logged } = await handled(t, { options: 'None' })
  t.equal(status, 403)
  t.match(logged.join('\n'), 'AH01276: Cannot serve directory /nowhere/at/all/: No matching DirectoryIndex (none) found')
})
