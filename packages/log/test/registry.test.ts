import { readFileSync, renameSync } from 'node:fs'
import { DestinationRegistry } from '@gatewright/log'
import { ConsoleDestination } from '@gatewright/log/console'
import t from 'tap'

t.test('a file named twice is one destination, buffered use apart', async (t) => {
  const directory = t.testdir()
  const registry = new DestinationRegistry()
  t.teardown(() => registry.closeAll())
  const log = registry.file(`${directory}/a.log`)
  t.equal(registry.file(`${directory}/a.log`), log)
  t.equal(registry.file(`${directory}/x/../a.log`), log)
  t.not(registry.file(`${directory}/b.log`), log)
  t.not(registry.file(`${directory}/a.log`, 'block'), log)
  t.equal(registry.descriptor(2), registry.descriptor(2))
})

t.test('flushing, reopening and closing reach every destination', async (t) => {
  const directory = t.testdir()
  const registry = new DestinationRegistry()
  const names = ['a', 'b']
  for (const name of names) registry.file(`${directory}/${name}`).write('1\n')
  registry.file(`${directory}/c`, 'block').write('1\n')
  registry.flushAll()
  for (const name of ['a', 'b', 'c']) t.equal(readFileSync(`${directory}/${name}`, 'latin1'), '1\n')

  for (const name of names) renameSync(`${directory}/${name}`, `${directory}/${name}.old`)
  registry.reopenAll()
  for (const name of names) registry.file(`${directory}/${name}`).write('2\n')
  registry.closeAll()
  for (const name of names) {
    t.equal(readFileSync(`${directory}/${name}.old`, 'latin1'), '1\n')
    t.equal(readFileSync(`${directory}/${name}`, 'latin1'), '2\n')
  }
})

t.test('a file that cannot be opened is not remembered', async (t) => {
  const registry = new DestinationRegistry()
  const path = `${t.testdir()}/none/a.log`
  t.throws(() => registry.file(path), { code: 'ENOENT' })
  t.throws(() => registry.file(path), { code: 'ENOENT' })
})

t.test('another kind of destination can be put in charge of it, once per name', async (t) => {
  const registry = new DestinationRegistry()
  const console = new ConsoleDestination({ fd: 2 })
  t.equal(registry.add('console', console), console)
  t.throws(() => registry.add('console', console), /registered already/)
  registry.closeAll()
})
