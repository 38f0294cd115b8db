import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { descriptorLimit, logDescriptorLimit } from '../src/supervisor/descriptor-limit.ts'
import { SupervisorLog } from '../src/supervisor/supervisor-log.ts'

t.test('the soft limit counts, and may be unknown', (t) => {
  const limits =
    'Limit   Soft Limit  Hard Limit  Units\nMax processes  9  9  processes\nMax open files            256     1048576    files\n'
  t.equal(descriptorLimit(limits), 256)
  t.equal(descriptorLimit('Max open files            unlimited     unlimited    files\n'), Infinity)
  t.equal(descriptorLimit(''), undefined)
  t.end()
})

t.test('a limit is warned of when it is low, or lower than MaxRequestWorkers', (t) => {
  const file = join(t.testdir({}), 'error.log')
  const warned = (limit: number | undefined, maxRequestWorkers: number): string => {
    const before = readLog().length
    const settings = { medium: 'file', format: null, level: 'warn', modules: {} } as const
    const log = new SupervisorLog({ target: file, pipe: undefined, settings, watcher: null })
    logDescriptorLimit(log, limit, maxRequestWorkers)
    log.close()
    return readLog().slice(before)
  }
  const readLog = (): string => {
    try {
      return readFileSync(file, 'latin1')
    } catch {
      return ''
    }
  }
  t.match(warned(256, 400), /\[core:warn\] .* 256 files and connections, few for a server: .*'ulimit -n 65536'/)
  t.match(warned(4_096, 10_000), /4096 files and connections, fewer than MaxRequestWorkers, 10000: /)
  t.equal(warned(1_024, 400), '')
  t.equal(warned(Infinity, 1_000_000), '')
  t.equal(warned(undefined, 400), '')
  t.end()
})
