// What monitoring programs do with `?auto`: each rule is implemented again and applied to our text.
import type { ServerStatus } from '@gatewright/api/status'
import t from 'tap'
import { autoText } from '../src/auto.ts'
import { summarize } from '../src/summary.ts'
import { fakeRequestStatus, fakeStatus, fakeWorker, STARTED_AT } from './status.ts'

const WORKERS = [
  fakeWorker({
    accesses: 1_234_567,
    bytes: 9_876_543_210,
    duration: 4321,
    cpuUser: 12.5,
    cpuSystem: 0.25,
    connections: 9,
    busy: 2,
    keepAlive: 6,
    writing: 1,
    requests: [fakeRequestStatus({ state: 'W' }), fakeRequestStatus({ state: 'W' })],
  }),
]

function auto(changes: Partial<ServerStatus> = {}, banner = 'Gatewright/0.1.0'): string {
  const status = fakeStatus({ workers: WORKERS, maxRequestWorkers: 60, ...changes })
  return autoText({ status, summary: summarize(status, STARTED_AT + 86_461_000), serverName: 'host.test', banner })
}

const lines = (text: string): string[] => text.split(/[\r\n]+/).filter((line) => line !== '')

t.test('collectd takes totals from lines of three words as integers, and states from lines of two words', async (t) => {
  const found = new Map<string, string>()
  for (const line of lines(auto())) {
    const words = line.split(/[ \t]+/)
    if (words.length === 3 && words[0] === 'Total') found.set(words[1], words[2])
    if (words.length === 2) found.set(words[0], words[1])
  }
  t.equal(found.get('Accesses:'), '1234567')
  t.equal(found.get('kBytes:'), '9645061')
  t.equal(found.get('BusyWorkers:'), '2')
  t.equal(found.get('IdleWorkers:'), '23')
  t.match(found.get('Scoreboard:'), /^[_SRWKDCLGI.]+$/)
})

t.test('munin searches for lines that begin with the name of a value, whatever follows', async (t) => {
  const text = auto()
  const value = (name: string): string | undefined => new RegExp(`^${name}:\\s+(.+)$`, 'im').exec(text)?.[1]
  t.equal(value('Total Accesses'), '1234567')
  t.equal(value('Busy(?:Servers|Workers)'), '2')
  t.equal(value('Idle(?:Servers|Workers)'), '23')
  t.equal(Number(value('Total kBytes')) * 1024, 9_876_542_464)
  const free = /^Scoreboard: (.*)$/m.exec(text)?.[1].match(/\./g)?.length
  t.equal(free, 35, 'free places are counted by their dots')
  t.notMatch(auto({ extended: false }), /^Total Accesses:/im, 'this line shows whether ExtendedStatus is On')
})

/** Go's ParseFloat for decimal numbers. */
const goFloat = (text: string): number | null => (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : null)

t.test(
  'telegraf takes a line with a colon as a field, whose name loses its blanks, and omits other values than numbers',
  async (t) => {
    const fields: Record<string, number> = {}
    for (const line of lines(auto())) {
      const colon = line.indexOf(':')
      if (colon < 0) continue
      const number = goFloat(line.slice(colon + 1).trim())
      if (number !== null) fields[line.slice(0, colon).replaceAll(' ', '')] = number
    }
    t.match(fields, {
      TotalAccesses: 1_234_567,
      TotalkBytes: 9_645_061,
      TotalDuration: 4321,
      CPUUser: 12.5,
      CPUSystem: 0.25,
      CPULoad: 0.0147465,
      Uptime: 86_461,
      ReqPerSec: 14.2789,
      BytesPerSec: 114_231,
      BytesPerReq: 8000.01,
      BusyWorkers: 2,
      IdleWorkers: 23,
      ConnsTotal: 9,
      ConnsAsyncWriting: 1,
      ConnsAsyncKeepAlive: 6,
      ConnsAsyncClosing: 0,
      ParentServerConfigGeneration: 1,
      Load1: 0.6,
    })
  },
)

t.test('telegraf and apache_exporter count the letters of the scoreboard, and know all of them', async (t) => {
  const board = /^Scoreboard: (.*)$/m.exec(auto())?.[1] ?? ''
  const counts: Record<string, number> = {}
  for (const letter of board) counts[letter] = (counts[letter] ?? 0) + 1
  t.same(counts, { W: 2, _: 23, '.': 35 })
})

t.test('apache_exporter requires every value that it reads to be a number', async (t) => {
  const values = new Map(
    lines(auto()).map((line): [string, string] => {
      const colon = line.indexOf(':')
      return colon < 0 ? [line, ''] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
    }),
  )
  const numbers =
    'ParentServerConfigGeneration,ParentServerMPMGeneration,Load1,Load5,Load15,Total Accesses,Total kBytes,Total Duration,CPUUser,CPUSystem,' +
    'CPUChildrenUser,CPUChildrenSystem,CPULoad,Uptime,BusyWorkers,IdleWorkers,Processes,Stopping,ConnsTotal,ConnsAsyncWriting,' +
    'ConnsAsyncKeepAlive,ConnsAsyncClosing'
  for (const name of numbers.split(',')) t.not(goFloat(values.get(name) ?? ''), null, name)
  t.equal(values.get('ServerMPM'), 'event')
})

t.test('apache_exporter makes one number of the version after the first slash, which has three parts', async (t) => {
  const version = /^ServerVersion: (.*)$/m.exec(auto({}, 'Gatewright/0.1.0 (Unix)'))?.[1] ?? ''
  const [major, minor, patch] = version.split('/')[1].split(' ')[0].split('.')
  t.equal(goFloat(`${major}.${minor.padStart(2, ' ')}${patch.padStart(3, ' ')}`.replaceAll(' ', '0')), 0.01)
})
