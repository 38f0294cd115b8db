import t from 'tap'
import type { UpgradeFinding } from '../../src/index.ts'
import { stepsFor, type Work } from '../../src/upgrade-report/steps.ts'

const FINDING: UpgradeFinding = {
  kind: 'directive',
  weight: 'must',
  place: null,
  subject: 'x',
  text: 'x',
  instead: null,
  by: 'hand',
}
const WORK: Work = {
  subject: '/etc/httpd.conf',
  isFolder: false,
  findings: [],
  compat: { now: false, afterMigration: false },
  niceFile: null,
}

/** The commands of the steps, or their first words. */
function steps(work: Partial<Work>): string[] {
  return stepsFor({ ...WORK, ...work }).map(({ text, command }) => command ?? text.split(' ').slice(0, 4).join(' '))
}

t.test('there is nothing to do where nothing has to be done', async (t) => {
  t.strictSame(steps({ findings: [{ ...FINDING, weight: 'know', by: null }], niceFile: '/x' }), [])
})

t.test('the work is done in an order in which each step can be', async (t) => {
  const findings: UpgradeFinding[] = [
    FINDING,
    { ...FINDING, kind: 'module' },
    { ...FINDING, kind: 'default', weight: 'look' },
    { ...FINDING, by: 'migrate' },
    { ...FINDING, kind: 'access', weight: 'look' },
  ]
  t.strictSame(steps({ findings, niceFile: '/etc/config.nice', compat: { now: true, afterMigration: true } }), [
    'build/configure --from /etc/config.nice && build/install',
    'apxs -c -i mod_NAME.ts',
    'Change manually what does',
    'Decide about the changed',
    'gatewright lint /etc/httpd.conf',
    'gatewright migrate /etc/httpd.conf',
    'gatewright migrate --in-place /etc/httpd.conf',
    'Rewrite the remaining rules',
    'httpd -t -f /etc/httpd.conf',
    'gatewright upgrade-report /etc/httpd.conf',
  ])
})

t.test('mod_access_compat is removed if nothing needs it any more', async (t) => {
  const findings: UpgradeFinding[] = [{ ...FINDING, kind: 'access', weight: 'look', by: 'migrate' }]
  t.equal(steps({ findings, compat: { now: true, afterMigration: false } }).at(-1), 'Remove the LoadModule line')
})

t.test('a folder is no configuration that could be loaded', async (t) => {
  t.strictSame(steps({ findings: [FINDING], isFolder: true, subject: 'site' }), [
    'Change manually what does',
    'gatewright upgrade-report site',
  ])
})

t.test('a path is one word for a shell, whatever is in it', async (t) => {
  const [, command] = steps({ findings: [FINDING], subject: "/a b/$(rm -rf ~)/it's" })
  t.equal(command, "httpd -t -f '/a b/$(rm -rf ~)/it'\\''s'")
})

t.test('what does not load is named with its places, a few of many', async (t) => {
  const at = (line: number): UpgradeFinding => ({ ...FINDING, place: { file: '/etc/httpd.conf', line } })
  const [first] = stepsFor({ ...WORK, findings: [at(3), at(9)] })
  t.equal(first?.text, 'Change manually what does not load: /etc/httpd.conf:3, /etc/httpd.conf:9')
  const [many] = stepsFor({ ...WORK, findings: [1, 2, 3, 4, 5, 6, 7].map(at) })
  t.match(many?.text, /:5, and 2 more$/)
})
