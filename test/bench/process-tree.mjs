// The resources used by a server and all its processes, from Linux's process accounting.
import { readdirSync, readFileSync } from 'node:fs'

/** The unit of times in /proc/PID/stat is USER_HZ, which is 100 on all platforms of Node. */
const TICK_MICROSECONDS = 10_000

/** CPU time that a process and its descendants have used so far, including ended ones, in microseconds. */
export function cpuMicroseconds(root) {
  return sum(members(root).map(ownMicroseconds))
}

/** CPU time of one process and of its ended children, without running children. */
export function processMicroseconds(pid) {
  return ownMicroseconds({ pid, stat: parseStat(read(`/proc/${pid}/stat`)) })
}

/** Time for which these processors have been busy so far, in microseconds. */
export function busyMicroseconds(cores) {
  return parseBusy(read('/proc/stat'), cores)
}

/** Memory of a process and its descendants in MiB; shared memory is counted once if the kernel reports it. */
export function memoryMebibytes(root) {
  return sum(members(root).map(({ pid }) => kibibytes(pid))) / 1024
}

/** The process and its descendants, oldest first. */
export function processIds(root) {
  return members(root).map(({ pid }) => pid)
}

/** The peak memory of a process so far, in MiB. */
export function peakMebibytes(pid) {
  const peak = read(`/proc/${pid}/status`).match(/^VmHWM:\s+(\d+) kB/m)
  return Number(peak?.[1] ?? 0) / 1024
}

/**
 * Parses /proc/PID/stat. The name of the program may contain spaces and parentheses.
 * @returns {{ parent: number, ticks: number, ended: number }} `ended`: microseconds of ended children
 */
export function parseStat(text) {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [parent, user, system, endedUser, endedSystem] = [1, 11, 12, 13, 14].map((index) => Number(fields[index]))
  return { parent, ticks: user + system, ended: (endedUser + endedSystem) * TICK_MICROSECONDS }
}

/** Sums the times of some processors in /proc/stat, except idling and waiting. */
export function parseBusy(text, cores) {
  const ticks = cores.map((core) => {
    const [user, nice, system, , , ...interrupts] = text
      .match(new RegExp(`^cpu${core} (.*)$`, 'm'))[1]
      .split(' ')
      .map(Number)
    const [hard, soft, stolen] = interrupts
    return user + nice + system + hard + soft + stolen
  })
  return sum(ticks) * TICK_MICROSECONDS
}

function ownMicroseconds({ pid, stat }) {
  return Math.max(stat.ticks * TICK_MICROSECONDS, threadsMicroseconds(pid)) + stat.ended
}

function members(root) {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), text: read(`/proc/${name}/stat`) }))
    .filter(({ text }) => text !== '')
    .map(({ pid, text }) => ({ pid, stat: parseStat(text) }))
  const found = all.filter(({ pid }) => pid === root)
  // The list grows during the iteration.
  for (const { pid } of found) found.push(...all.filter(({ stat }) => stat.parent === pid))
  return found
}

/** Finer than ticks, but without ended threads, and not available without CONFIG_SCHED_INFO. */
function threadsMicroseconds(pid) {
  const threads = entries(`/proc/${pid}/task`)
  return sum(threads.map((thread) => Number(read(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0]))) / 1000
}

function kibibytes(pid) {
  const shared = read(`/proc/${pid}/smaps_rollup`).match(/^Pss:\s+(\d+) kB/m)
  const resident = shared ?? read(`/proc/${pid}/status`).match(/^VmRSS:\s+(\d+) kB/m)
  return Number(resident?.[1] ?? 0)
}

/** Processes and threads may end between two readings. */
function read(file) {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}

function entries(folder) {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function sum(values) {
  return values.reduce((total, value) => total + value, 0)
}
