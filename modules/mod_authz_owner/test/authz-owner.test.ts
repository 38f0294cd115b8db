import { execFileSync } from 'node:child_process'
import { userInfo } from 'node:os'
import { defineModule, type FileInfo, OK, type Request } from '@gatewright/api'
import { fileGroupOf } from '@gatewright/api/peers'
import { headerLogin, moduleLog, observedModule, site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import authzOwner from '../src/index.ts'

/** The user and the group of this process, which have names in the system. */
const { username: ME, uid, gid } = userInfo()
const GROUP = execFileSync('id', ['-gn'], { encoding: 'utf8' }).trimEnd()

const INFO: FileInfo = { kind: 'file', size: 0, mtimeMs: 0, inode: 1, device: 1, mode: 0o100644, uid, gid }

interface Facts {
  readonly user?: string
  readonly filename?: string
}

interface Outcome {
  readonly status: number
  readonly log: string[]
  /** The module's answer to other modules about the group of the file. */
  readonly group: unknown
  readonly groupLog: string[]
}

/** The answer for a file with these properties. */
async function outcome(t: Test, fileInfo: FileInfo | null, { user = ME, filename }: Facts = {}): Promise<Outcome> {
  const observed = observedModule(authzOwner)
  let group: unknown
  let groupLog: string[] = []
  const change = defineModule({
    name: 'change_module',
    source: 'mod_change.c',
    register({ hooks }) {
      hooks.checkUserId.add(
        (request: Request) => {
          Object.assign(request, { user, fileInfo }, filename === undefined ? {} : { filename })
          group = observed.host.functions.get(fileGroupOf)?.(request)
          groupLog = moduleLog(server, 'authz_owner')
          return OK
        },
        { rank: 'really-first' },
      )
    },
  })
  const server = await site({
    modules: [change, authzCore, observed.module],
    config: '<Directory "@ROOT@/docs">\nRequire file-owner\n</Directory>',
    files: { 'docs/f.txt': 'x' },
  })
  t.teardown(() => server.close())
  const { status } = await server.inject('/f.txt')
  return { status, log: moduleLog(server, 'authz_owner').slice(groupLog.length), group, groupLog }
}

const failed = (user: string): string => `Authorization of user ${user} to access /f.txt failed, reason:`

t.test('the owner of the file is granted access, by exact name', async (t) => {
  t.match(await outcome(t, INFO), { status: 200, log: [] })
  const capitals = ME.toUpperCase()
  t.match(await outcome(t, INFO, { user: capitals }), {
    status: 403,
    log: [`error AH01637: ${failed(capitals)} file owner ${ME} does not match.`],
  })
  t.match(await outcome(t, { ...INFO, uid: 0 }, { user: 'bob' }), {
    status: 403,
    log: [`error AH01637: ${failed('bob')} file owner root does not match.`],
  })
})

t.test('an unknown owner is denied and logged', async (t) => {
  const gone = `${t.testdir()}/gone`
  const rows: [FileInfo | null, Facts, string][] = [
    [null, { filename: '' }, `AH01633: ${failed(ME)} no filename available`],
    [null, { filename: gone }, `(2)No such file or directory: AH01634: ${failed(ME)} could not stat file ${gone}`],
    [{ ...INFO, uid: 54321 }, {}, `(2)No such file or directory: AH01636: ${failed(ME)} could not get name of file owner`],
  ]
  for (const [info, facts, line] of rows) t.match(await outcome(t, info, facts), { status: 403, log: [`error ${line}`] }, line)
})

t.test('a file created after the request was mapped is checked', async (t) => {
  const file = `${t.testdir({ late: '' })}/late`
  const { length, 0: line } = (await outcome(t, null, { filename: file, user: 'nobody at all' })).log
  t.equal(length, 1)
  t.match(line, /AH0163[67]: /)
})

t.test('without a user the provider requires authentication', async (t) => {
  const server = await site({
    modules: [headerLogin, authzCore, authzOwner],
    config: '<Directory "@ROOT@/docs">\nRequire file-owner\n</Directory>',
    files: { 'docs/f.txt': 'x' },
  })
  t.teardown(() => server.close())
  t.equal((await server.inject('/f.txt')).status, 401)
})

t.test('other modules can learn the group of the file, or why there is none, which is logged', async (t) => {
  const rows: [FileInfo | null, Facts, { group: string } | { reason: string }, string[]][] = [
    [INFO, {}, { group: GROUP }, []],
    [null, { filename: '' }, { reason: 'no filename available' }, [`AH01638: ${failed(ME)} no filename available`]],
    [
      null,
      { filename: '/nonexistent/f' },
      { reason: 'could not stat file /nonexistent/f' },
      [`(2)No such file or directory: AH01639: ${failed(ME)} could not stat file /nonexistent/f`],
    ],
    [
      { ...INFO, gid: 54321 },
      {},
      { reason: 'could not get name of file group' },
      [`(2)No such file or directory: AH01641: ${failed(ME)} could not get name of file group`],
    ],
  ]
  for (const [info, facts, answer, lines] of rows) {
    const { group, groupLog } = await outcome(t, info, facts)
    t.same(group, answer)
    t.same(
      groupLog,
      lines.map((line) => `error ${line}`),
    )
  }
})
