import type { FileInfo, Request } from '@gatewright/api'
import { fileGroupOf } from '@gatewright/api/peers'
import t from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import { FakeHost } from '../../mod_authz_core/test/fakes/fake-host.ts'
import { fakeHostServices } from '../../mod_authz_core/test/fakes/fake-services.ts'
import authzOwner from '../src/index.ts'

const INFO: FileInfo = { kind: 'file', size: 0, mtimeMs: 0, inode: 1, device: 1, mode: 0o100644, uid: 1001, gid: 2001 }

function newHost(): FakeHost {
  const services = fakeHostServices({ users: { 1001: 'bob', 0: 'root' }, groups: { 2001: 'staff', 0: 'wheel' } })
  const host = new FakeHost([authzCore, authzOwner], { services })
  host.configure('<Directory /d>\nRequire file-owner\n</Directory>')
  return host
}

function requestFor(host: FakeHost, fileInfo: FileInfo | null, facts: { user?: string; filename?: string } = {}): Request {
  return Object.assign(host.request({ user: 'bob', filename: '/d/f.txt', ...facts }), { fileInfo })
}

async function outcome(fileInfo: FileInfo | null, facts: { user?: string; filename?: string } = {}): Promise<[number, string[]]> {
  const host = newHost()
  const status = await host.runFirst('authChecker', requestFor(host, fileInfo, facts))
  return [status, host.logs.take().filter((line) => line.startsWith('authz_owner:'))]
}

const FAILED = 'Authorization of user bob to access /f.txt failed, reason:'

t.test('the owner of the file is granted access, by exact name', async (t) => {
  t.same(await outcome(INFO), [0, []])
  t.same(await outcome(INFO, { user: 'Bob' }), [
    403,
    ['authz_owner:error AH01637: Authorization of user Bob to access /f.txt failed, reason: file owner bob does not match.'],
  ])
  t.same(await outcome({ ...INFO, uid: 0 }), [403, [`authz_owner:error AH01637: ${FAILED} file owner root does not match.`]])
})

t.test('an unknown owner is denied and logged', async (t) => {
  const gone = `${t.testdir()}/gone`
  const rows: [FileInfo | null, { filename?: string }, string][] = [
    [null, { filename: '' }, `AH01633: ${FAILED} no filename available`],
    [null, { filename: gone }, `(ENOENT) AH01634: ${FAILED} could not stat file ${gone}`],
    [{ ...INFO, uid: 54321 }, {}, `(2)No such file or directory: AH01636: ${FAILED} could not get name of file owner`],
  ]
  for (const [info, facts, line] of rows) t.same(await outcome(info, facts), [403, [`authz_owner:error ${line}`]])
})

t.test('a file created after the request was mapped is checked', async (t) => {
  const file = `${t.testdir({ late: '' })}/late`
  const { length, 0: line } = (await outcome(null, { filename: file, user: 'nobody at all' }))[1]
  t.equal(length, 1)
  t.match(line, /AH0163[67]: /)
})

t.test('without a user the provider requires authentication', async (t) => {
  t.equal(await newHost().runFirst('accessCheckerEx', newHost().request()), -1)
})

t.test('other modules can learn the group of the file, or why there is none, which is logged', async (t) => {
  const rows: [FileInfo | null, { filename?: string }, { group: string } | { reason: string }, string[]][] = [
    [INFO, {}, { group: 'staff' }, []],
    [null, { filename: '' }, { reason: 'no filename available' }, [`AH01638: ${FAILED} no filename available`]],
    [
      null,
      { filename: '/nonexistent/f' },
      { reason: 'could not stat file /nonexistent/f' },
      [`(ENOENT) AH01639: ${FAILED} could not stat file /nonexistent/f`],
    ],
    [
      { ...INFO, gid: 54321 },
      {},
      { reason: 'could not get name of file group' },
      [`(2)No such file or directory: AH01641: ${FAILED} could not get name of file group`],
    ],
  ]
  for (const [info, facts, answer, lines] of rows) {
    const host = newHost()
    t.same(host.functions.get(fileGroupOf)?.(requestFor(host, info, facts)), answer)
    t.same(
      host.logs.take(),
      lines.map((line) => `authz_owner:error ${line}`),
    )
  }
})
