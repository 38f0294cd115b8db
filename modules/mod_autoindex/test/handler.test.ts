import { DECLINED, HTTP_FORBIDDEN, httpStatus, M_POST } from '@gatewright/api'
import t from 'tap'
import { Bench } from '../../mod_env/test/fakes/bench.ts'
import { type FakeRequest, fakeFile, fakeRequest } from '../../mod_env/test/fakes/request.ts'
import autoindex from '../src/index.ts'

const FOLDER = { fileInfo: fakeFile('directory'), handler: 'httpd/unix-directory', filename: '/nowhere/at/all/' }

interface Handled {
  readonly outcome: number
  /** `LEVEL CODE: TEXT` */
  readonly logged: readonly string[]
}

async function handled(changes: Partial<FakeRequest>): Promise<Handled> {
  const bench = new Bench(autoindex)
  const request = fakeRequest({ ...FOLDER, hasOption: () => true, ...changes })
  const outcome = await bench.hook('handler')(request)
  return { outcome, logged: bench.log.map(({ level, code, text }) => `${level} ${code}: ${text}`) }
}

t.test('a folder that cannot be read is refused, and the log gives the reason', async (t) => {
  const { outcome, logged } = await handled({})
  t.equal(outcome, HTTP_FORBIDDEN)
  t.strictSame(logged, ["error AH01275: Can't open directory for index: /nowhere/at/all/"])
})

t.test('files, other handlers and other methods are left to other modules', async (t) => {
  for (const changes of [{ fileInfo: fakeFile() }, { fileInfo: null }, { handler: 'other' }, { methodNumber: M_POST }]) {
    t.equal((await handled(changes)).outcome, DECLINED)
  }
})

t.test('if the body is refused, that is the outcome, and the folder is not opened', async (t) => {
  const { outcome, logged } = await handled({ discardBody: () => httpStatus(413) })
  t.equal(outcome, 413)
  t.strictSame(logged, [])
})

t.test('without index names the refusal is logged with `none`', async (t) => {
  const { outcome, logged } = await handled({ hasOption: () => false })
  t.equal(outcome, HTTP_FORBIDDEN)
  t.match(logged.join('\n'), 'AH01276: Cannot serve directory /nowhere/at/all/: No matching DirectoryIndex (none) found')
})
