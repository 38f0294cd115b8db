import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readState, StateFile } from '../src/supervisor/state-file.ts'

t.test('a command reads how many reloads have begun and ended, and how the last one went', (t) => {
  const folder = t.testdir({})
  const pidFile = join(folder, 'httpd.pid')
  t.equal(readState(pidFile), undefined)
  const file = new StateFile(pidFile, 123, { replaceable: false, begun: 0 })
  t.match(readState(pidFile), { pid: 123, begun: 0, ended: 0, refusal: null })
  file.begin()
  t.match(readState(pidFile), { begun: 1, ended: 0, refusal: null })
  file.end(['a port is taken', 'hint: stop the other'])
  t.match(readState(pidFile), { begun: 1, ended: 1, refusal: ['a port is taken', 'hint: stop the other'] })
  file.begin()
  file.end(null)
  t.match(readState(pidFile), { begun: 2, ended: 2, refusal: null })
  t.strictSame(readdirSync(folder), ['httpd.pid.state'], 'nothing else is left behind')
  t.equal(statSync(`${pidFile}.state`).mode & 0o777, 0o600, 'lines of the error log are not for everybody')
  file.remove()
  t.strictSame(readdirSync(folder), [])
  t.end()
})

t.test('a state that finds no room for a new file is written over the old one', (t) => {
  const folder = t.testdir({})
  const pidFile = join(folder, 'httpd.pid')
  const file = new StateFile(pidFile, 123, { replaceable: false, begun: 0 })
  file.end(['a long reason'])
  mkdirSync(`${pidFile}.state.${process.pid}`)
  file.begin()
  t.match(readState(pidFile), { begun: 1, ended: 0, refusal: ['a long reason'] })
  file.end(null)
  t.match(readState(pidFile), { begun: 1, ended: 1, refusal: null }, 'a shorter one, too')
  t.end()
})

t.test('a state file that cannot be written is removed', (t) => {
  const folder = t.testdir({})
  const pidFile = join(folder, 'httpd.pid')
  const file = new StateFile(pidFile, 123, { replaceable: false, begun: 0 })
  mkdirSync(`${pidFile}.state.${process.pid}`)
  rmSync(`${pidFile}.state`)
  symlinkSync('elsewhere', `${pidFile}.state`)
  file.begin()
  t.equal(readState(pidFile), undefined)
  t.strictSame(readdirSync(folder), [`httpd.pid.state.${process.pid}`])
  t.end()
})

t.test('a link placed by another user is not followed', (t) => {
  const folder = t.testdir({ precious: 'precious' })
  const pidFile = join(folder, 'httpd.pid')
  symlinkSync(join(folder, 'precious'), `${pidFile}.state.${process.pid}`)
  symlinkSync(join(folder, 'precious'), `${pidFile}.state`)
  new StateFile(pidFile, 123, { replaceable: false, begun: 0 }).begin()
  t.equal(readFileSync(join(folder, 'precious'), 'latin1'), 'precious')
  t.match(readState(pidFile), { pid: 123, begun: 1 })
  t.end()
})

t.test('what is no state is none', (t) => {
  const pidFile = join(t.testdir({}), 'httpd.pid')
  for (const text of ['', '{', 'null', '[]', '{"pid":"1"}', '{"pid":1,"begun":0,"ended":0,"refusal":[1]}']) {
    writeFileSync(`${pidFile}.state`, text)
    t.equal(readState(pidFile), undefined, text)
  }
  t.end()
})
