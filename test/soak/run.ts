import { setTimeout as pause } from 'node:timers/promises'
import { type Check, check } from '../faults/experiment.ts'
import { gone } from '../fixtures/processes.ts'
import type { Owner } from '../fixtures/staged-server.ts'
import { until } from '../fixtures/until.ts'
import type { Failure } from '../load/failure.ts'
import { GUARDED, prepareGuarded } from '../load/guarded.ts'
import { EVERYTHING } from '../load/habits.ts'
import { ServerUnderLoad } from '../load/server-under-load.ts'
import type { LoadReport } from '../load/tally.ts'
import { Disturbances } from './disturbances.ts'
import { LogAudit } from './log-audit.ts'
import { type MemoryTrend, memoryTrends, TOLERANCE } from './memory.ts'
import { descriptorsOf, ProcessWatch } from './process-watch.ts'

const WORKERS = 2
/** The part of the time in which the server is disturbed. */
const DISTURBED = 0.4
/** Milliseconds between two disturbances; a worker that lived for less than a second is not replaced at once. */
const APART = 5_000
const APART_IN_SHORT_RUNS = 1_500
const SHORT_RUN = 60
/** Milliseconds of idleness after which KeepAliveTimeout, 2 s, may end on a machine that is busy. */
const NEAR_TIMEOUT = 1_500
/** The maximum number of failures that are reported individually. */
const TOLD = 20
/** The part of the quiet time in which heaps may still grow to their size. */
const SETTLING = 0.25
/** Descriptors that a worker which has served has beside those that it was born with: five for each of at most two threads that verify passwords. */
const SPARE_DESCRIPTORS = 10

export interface SoakResult {
  readonly load: LoadReport
  readonly memory: readonly MemoryTrend[]
  readonly figures: Readonly<Record<string, number>>
  readonly checks: readonly Check[]
}

/** Lets all clients work for so many minutes, and disturbs the server. @param say told each minute how it stands */
export async function soak(owner: Owner, minutes: number, say: (line: string) => void): Promise<SoakResult> {
  const seconds = minutes * 60
  const site = await ServerUnderLoad.start(owner, { workers: WORKERS, mix: EVERYTHING, lines: GUARDED, prepare: prepareGuarded })
  const { load, server } = site
  const watch = new ProcessWatch(server.pid)
  const audit = new LogAudit(server)
  const disturbances = new Disturbances(site, audit)
  owner.teardown(async () => watch.stop())
  const progress = setInterval(() => say(standing(site, watch, disturbances)), 60_000)
  owner.teardown(async () => clearInterval(progress))

  while (watch.now < seconds * DISTURBED || disturbances.rounds < 1) {
    await pause(seconds < SHORT_RUN ? APART_IN_SHORT_RUNS : APART)
    await disturbances.next()
  }
  await disturbances.resize(WORKERS)
  const quietFrom = watch.now
  await pause(Math.max(0, seconds - watch.now) * 1000)
  const quietUntil = watch.now
  watch.stop()
  const memory = memoryTrends(watch.processes.values(), quietFrom + SETTLING * (quietUntil - quietFrom), quietUntil)

  const report = await load.stop()
  const old = site.workers()
  const served = await idleDescriptors(old)
  const supervisor = descriptorsOf(server.pid)
  await disturbances.rotate()
  const born = await idleDescriptors(site.workers())
  const fresh = descriptorsOf(server.pid)
  const ended = await server.stop()
  await gone(old)
  await audit.read('')

  const lost = [...load.right].filter((id) => !audit.logged.has(id))
  const withVictims = new Set([...disturbances.victims].flatMap((pid) => load.lastOf(pid)))
  const unexplained = lost.filter((id) => !withVictims.has(id)).length
  const cutOff = load.failures.filter(
    ({ kind, worker }) => /^(reset|closed) /.test(kind) && (worker === null || disturbances.victims.has(worker)),
  )
  const crossed = load.failures.filter((failure) => !cutOff.includes(failure) && crossedWithTimeout(failure))
  const unexplainedFailures = load.failures.filter((failure) => !cutOff.includes(failure) && !crossed.includes(failure))
  for (const { kind, place, worker, idle, detail } of unexplainedFailures.slice(0, TOLD))
    say(`${kind}, ${place} request, worker ${worker}, ${Math.round(idle)} ms idle before: ${detail}`)
  const { reloads, refusals, kills, rotations } = disturbances.count
  return {
    load: report,
    memory,
    figures: {
      seconds: watch.now,
      connections: report.connections,
      requests: report.requests,
      'answered rightly': report.right,
      'cut off by kills': cutOff.length,
      'crossed with the end of KeepAliveTimeout': crossed.length,
      'failed otherwise': unexplainedFailures.length,
      'under way or sent to the killed meanwhile': disturbances.mayFail(),
      'reloads with other numbers of workers': reloads,
      'workers killed': kills,
      'rotations of the logs': rotations,
      'broken configurations': refusals,
      'lines in the access logs': audit.lines,
      'lines lost with killed workers': lost.length - unexplained,
      'lines lost otherwise': unexplained,
      'lines twice': audit.doubled.length,
      'answers 403': audit.denials.answered,
      'refusals in the error logs': audit.denials.told,
      ...Object.fromEntries(
        memory.flatMap(({ role, pid, from, to }) => [
          [`${role} ${pid}, MiB at the beginning of the measured time`, from],
          [`${role} ${pid}, MiB at its end`, to],
        ]),
      ),
      'descriptors of a worker that has served': served,
      'descriptors of a new worker': born,
      'descriptors of the supervisor': supervisor,
      'the same after a further reload': fresh,
    },
    checks: [
      check(
        'every request is answered rightly or was cut off by a kill',
        report.right + cutOff.length + crossed.length === report.requests && report.strayBytes === 0,
      ),
      check('no more are cut off than the killed workers had', cutOff.length <= disturbances.mayFail()),
      check('each answer is in the access log, but for the last ones of killed workers', unexplained === 0),
      check('no line is there twice', audit.doubled.length === 0),
      check('each line is whole and has the status of its resource', audit.strange.length === 0),
      check(
        'the error log tells of each refusal',
        Math.abs(audit.denials.answered - audit.denials.told) <= lost.length - unexplained,
      ),
      check('it tells of nothing grave', audit.grave.length === 0),
      check('all logs have been read', audit.unread().length === 0),
      ...memory.map(({ role, pid, flat }) => check(`the memory of ${role} ${pid} has not grown by ${100 * TOLERANCE} %`, flat)),
      check(`a worker has at most ${SPARE_DESCRIPTORS} descriptors more than a new one`, served <= born + SPARE_DESCRIPTORS),
      check('a reload leaves no descriptors in the supervisor', fresh <= supervisor),
      check('the server ends with status 0 and without a word', ended?.status === 0 && ended.stderr.length === 0),
    ],
  }
}

/** The server ends a connection that was idle for KeepAliveTimeout while a request is on its way: HTTP lets clients repeat it, these do not. */
function crossedWithTimeout({ kind, idle }: Failure): boolean {
  return idle >= NEAR_TIMEOUT && (kind === 'closed without answer' || kind === 'reset before the first byte')
}

/** The most descriptors that one of some workers has, when none of them has clients any more. */
async function idleDescriptors(workers: readonly number[]): Promise<number> {
  let before = Number.POSITIVE_INFINITY
  let now = Number.POSITIVE_INFINITY
  const look = (): number => Math.max(...workers.map(descriptorsOf))
  // Connections that clients have closed are closed a moment later.
  await until('workers have let go of their clients', () => {
    before = now
    now = look()
    return now === before
  })
  return now
}

function standing(site: ServerUnderLoad, watch: ProcessWatch, { count }: Disturbances): string {
  const { requests, failed } = site.load.report()
  const memory = [site.server.pid, ...site.workers()].map((pid) => {
    const value = watch.processes.get(pid)?.memory.at(-1)?.value ?? 0
    return `${value.toFixed(0)} MiB ${descriptorsOf(pid)} descriptors`
  })
  const [supervisor, ...workers] = memory
  const disturbed = `${count.reloads} reloads, ${count.kills} kills, ${count.rotations} rotations, ${count.refusals} refusals`
  return `minute ${Math.round(watch.now / 60)}: ${requests} requests, ${failed} failed; ${disturbed}; supervisor ${supervisor}; workers ${workers.join(', ')}`
}
