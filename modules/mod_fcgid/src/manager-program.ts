import type { ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { GlobalSettings } from './config.ts'
import type { ClassSpec, ManagerReport, ManagerRequest } from './manager-messages.ts'

/**
 * The program of the process manager, which all workers of a server share: it starts FastCGI programs, lends them to requests, and
 * ends them, by the rules of mod_fcgid. It runs from its text, so it uses nothing outside of itself. Programs accept connections
 * on their standard input, a socket in the folder, which nobody else may enter. The manager ends with the last worker.
 */
export function managerProgram(folder: string, limits: GlobalSettings): void {
  const { spawn } = process.getBuiltinModule('node:child_process')
  const { createServer } = process.getBuiltinModule('node:net')
  const fs = process.getBuiltinModule('node:fs')
  const { constants } = process.getBuiltinModule('node:os')
  /** O_CLOEXEC of Linux. */
  const CLOSE_ON_EXEC = 0o2000000
  /** How long a request waits for a process, and for one that is busy before another one is started, ms. */
  const WAIT_LIMIT = 64_000
  const BUSY_WAIT = 100
  /** How long a worker is waited for after the last one has gone, ms. */
  const ALONE_LIMIT = 1000
  /** When programs that do not end with the server are killed, ms. */
  const END_LIMIT = 8000
  const LINE_LIMIT = 8192
  /** Bytes of messages that wait for a worker that does not read. */
  const UNSENT_LIMIT = 1024 * 1024

  type Reason =
    | 'normal exit'
    | 'idle timeout'
    | 'lifetime expired'
    | 'busy timeout'
    | 'connect error'
    | 'communication error'
    | 'shutting down'
  interface Member {
    readonly number: number
    readonly pool: Pool
    readonly path: string
    readonly child: ChildProcess
    readonly started: number
    active: number
    served: number
    state: 'idle' | 'busy' | 'ending'
    reason: Reason
    /** The worker whose request it serves. */
    owner: Socket | null
  }
  interface Waiter {
    readonly id: number
    readonly worker: Socket
    readonly since: number
  }
  interface Pool {
    spec: ClassSpec
    score: number
    scored: number
    starting: number
    readonly members: Set<Member>
    /** The one that became idle last is the last one. */
    readonly idle: Member[]
    readonly waiting: Waiter[]
  }
  const workers = new Set<Socket>()
  const pools = new Map<string, Pool>()
  const members = new Map<number, Member>()
  let last = 0
  let isEnding = false
  let isLookedAfter = false
  let aloneSince = performance.now()

  // Programs inherit nothing that this process has inherited.
  for (const name of fs.readdirSync('/proc/self/fd')) {
    try {
      const flags = /^flags:\s*([0-7]+)/m.exec(fs.readFileSync(`/proc/self/fdinfo/${name}`, 'latin1'))?.[1] ?? '2000000'
      if (Number(name) > 2 && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0) fs.closeSync(Number(name))
    } catch {
      // The descriptor of the folder itself.
    }
  }

  const send = (worker: Socket, report: ManagerReport): void => {
    if (worker.writable && worker.writableLength < UNSENT_LIMIT) worker.write(`${JSON.stringify(report)}\n`)
  }
  const log = (level: 'info' | 'warn' | 'error', text: string): void => {
    for (const worker of workers) return send(worker, { kind: 'log', level, text })
  }
  const figures = (): void => {
    let busy = 0
    for (const { state } of members.values()) if (state === 'busy') busy++
    for (const worker of workers) send(worker, { kind: 'figures', processes: members.size, busy })
  }
  /** Text for the system, which is given UTF-8; null if other bytes are in it. */
  const native = (bytes: string): string | null => {
    const buffer = Buffer.from(bytes, 'latin1')
    const text = buffer.toString('utf8')
    return Buffer.from(text, 'utf8').equals(buffer) ? text : null
  }
  /** The system executes it: the function of the C library would try a shell. */
  const isExecutable = (file: string): boolean => {
    const start = Buffer.alloc(4)
    try {
      const descriptor = fs.openSync(file, 'r')
      try {
        const count = fs.readSync(descriptor, start, 0, 4, 0)
        return start.toString('latin1', 0, Math.min(2, count)) === '#!' || start.toString('latin1') === '\x7fELF'
      } finally {
        fs.closeSync(descriptor)
      }
    } catch {
      // It may be executed without being read; whatever is wrong with it is reported by its start.
      return true
    }
  }

  const age = (pool: Pool): void => {
    const now = Math.floor(Date.now() / 1000)
    pool.score = Math.max(0, pool.score - limits.timeScore * (now - pool.scored))
    pool.scored = now
  }
  const mayStart = (pool: Pool): boolean => {
    age(pool)
    let starting = 0
    for (const each of pools.values()) starting += each.starting
    return (
      members.size + starting < limits.maxProcesses &&
      pool.score < limits.spawnScoreLimit &&
      pool.members.size + pool.starting < pool.spec.options.maxProcesses
    )
  }
  const signal = (member: Member, name: NodeJS.Signals, isGroup: boolean): void => {
    const { pid } = member.child
    if (pid === undefined || !members.has(member.number)) return
    try {
      process.kill(isGroup ? -pid : pid, name)
    } catch {
      // It has ended.
    }
  }
  const retire = (member: Member, reason: Reason): void => {
    if (member.state === 'ending') return
    const at = member.pool.idle.indexOf(member)
    if (at >= 0) member.pool.idle.splice(at, 1)
    member.state = 'ending'
    member.reason = reason
    signal(member, 'SIGTERM', false)
    setTimeout(() => {
      if (!members.has(member.number)) return
      log('warn', `mod_fcgid: process ${member.child.pid} graceful kill fail, sending SIGKILL`)
      signal(member, 'SIGKILL', true)
    }, Math.max(1, limits.errorScanInterval) * 1000)
  }
  const lend = (pool: Pool, member: Member): void => {
    const waiter = pool.waiting.shift()
    if (waiter === undefined) {
      member.state = 'idle'
      member.owner = null
      pool.idle.push(member)
      return
    }
    member.state = 'busy'
    member.owner = waiter.worker
    member.active = Date.now()
    send(waiter.worker, { kind: 'process', id: waiter.id, process: member.number, path: member.path })
  }
  const refuse = (pool: Pool, reason: string): void => {
    for (const { id, worker } of pool.waiting.splice(0)) send(worker, { kind: 'none', id, reason })
  }

  const readLines = (stream: Readable | null): void => {
    let line = ''
    stream?.setEncoding('latin1').on('data', (part: string) => {
      const lines = (line + part).split('\n')
      line = lines.pop() ?? ''
      if (line.length > LINE_LIMIT) {
        lines.push(line)
        line = ''
      }
      for (const each of lines) if (each !== '') log('error', each.slice(0, LINE_LIMIT))
    })
    stream?.on('error', () => undefined)
  }
  const ended = (member: Member, status: number | null, name: NodeJS.Signals | null): void => {
    const { pool, number, path, child, state } = member
    // What it has started would otherwise outlive it without being counted.
    if (state === 'ending') signal(member, 'SIGKILL', true)
    members.delete(number)
    pool.members.delete(member)
    const at = pool.idle.indexOf(member)
    if (at >= 0) pool.idle.splice(at, 1)
    age(pool)
    pool.score += limits.terminationScore
    fs.rmSync(path, { force: true })
    const isUsual = name === null || name === 'SIGTERM' || name === 'SIGKILL' || name === 'SIGHUP' || name === 'SIGUSR1'
    const how =
      name === null
        ? `terminated by calling exit(), return code: ${status}`
        : `get ${isUsual ? 'stop' : 'unexpected'} signal ${constants.signals[name]}`
    const reason = name === null && member.reason === 'connect error' ? 'server exited' : member.reason
    log(isUsual ? 'info' : 'error', `mod_fcgid: process ${pool.spec.file}(${child.pid}) exit(${reason}), ${how}`)
    // A process that it has started may keep the pipes open.
    setTimeout(() => {
      child.stdout?.destroy()
      child.stderr?.destroy()
    }, 500)
    figures()
    serve(pool)
    if (pool.members.size === 0 && pool.starting === 0 && pool.waiting.length === 0 && pool.score === 0)
      pools.delete(pool.spec.key)
  }
  const start = (pool: Pool): void => {
    const { spec } = pool
    pool.starting++
    const number = ++last
    const failed = (reason: string): void => {
      pool.starting--
      log('error', `mod_fcgid: can't run ${spec.file}: ${reason}`)
      log('warn', `mod_fcgid: spawn process ${spec.file} error`)
      refuse(pool, reason)
    }
    const file = native(spec.file)
    const words = [...spec.args, ...spec.environment.flat()].map(native)
    if (file === null || words.includes(null)) return failed('its path, its arguments or FcgidInitialEnv are not UTF-8')
    if (!isExecutable(file)) return failed('(8)Exec format error')
    const bound = `${folder}/n${number}`
    const listener = createServer()
    listener.on('error', (error) => failed(error.message))
    listener.listen({ path: bound, backlog: 64 }, () => {
      const path = `${folder}/${number}`
      const handle: unknown = Reflect.get(listener, '_handle')
      const setBlocking: unknown = handle instanceof Object ? Reflect.get(handle, 'setBlocking') : undefined
      const descriptor: unknown = handle instanceof Object ? Reflect.get(handle, 'fd') : undefined
      if (typeof setBlocking !== 'function' || typeof descriptor !== 'number') return failed('no descriptor of its socket')
      // Programs wait for connections in accept.
      setBlocking.call(handle, true)
      const child = spawn(
        file,
        spec.args.map((arg) => native(arg) ?? ''),
        {
          cwd: file.slice(0, file.lastIndexOf('/') + 1) || '/',
          env: Object.fromEntries(spec.environment.map(([name, value]) => [native(name) ?? '', native(value) ?? ''])),
          stdio: [descriptor, 'pipe', 'pipe'],
          detached: true,
        },
      )
      fs.renameSync(bound, path)
      listener.close()
      child.on('error', (error: NodeJS.ErrnoException) => {
        if (child.pid !== undefined) return
        fs.rmSync(path, { force: true })
        failed(error.message)
      })
      if (child.pid === undefined) return
      pool.starting--
      pool.score += limits.spawnScore
      const now = Date.now()
      const member: Member = {
        ...{ number, pool, path, child, started: now, active: now, served: 0 },
        ...{ state: 'idle', reason: 'normal exit', owner: null },
      }
      members.set(number, member)
      pool.members.add(member)
      readLines(child.stdout)
      readLines(child.stderr)
      child.on('exit', (status, name) => ended(member, status, name))
      log('info', `mod_fcgid: server ${spec.host}:${spec.file}(${child.pid}) started`)
      if (isEnding) return retire(member, 'shutting down')
      lend(pool, member)
      figures()
    })
  }
  /** Lends idle processes to requests that wait, and starts others. */
  const serve = (pool: Pool): void => {
    while (pool.waiting.length > 0 && pool.idle.length > 0) {
      const member = pool.idle.pop()
      if (member !== undefined) lend(pool, member)
    }
    const now = performance.now()
    const isAnyBusy = pool.members.size > 0
    for (const { since } of pool.waiting.slice(pool.starting)) {
      if (isEnding || (isAnyBusy && now - since < BUSY_WAIT) || !mayStart(pool)) break
      start(pool)
    }
    if (pool.waiting.length === 0 || isLookedAfter) return
    isLookedAfter = true
    setTimeout(() => {
      isLookedAfter = false
      for (const each of pools.values()) serve(each)
    }, BUSY_WAIT / 2)
  }

  const take = (worker: Socket, request: ManagerRequest): void => {
    if (request.kind === 'settings') limits = request.global
    else if (request.kind === 'want') {
      const { spec } = request
      let pool = pools.get(spec.key)
      if (pool === undefined) {
        pool = { spec, score: 0, scored: Math.floor(Date.now() / 1000), starting: 0, members: new Set(), idle: [], waiting: [] }
        pools.set(spec.key, pool)
      }
      pool.spec = spec
      pool.waiting.push({ id: request.id, worker, since: performance.now() })
      serve(pool)
    } else if (request.kind === 'cancel') {
      for (const { waiting } of pools.values()) {
        const at = waiting.findIndex((waiter) => waiter.worker === worker && waiter.id === request.id)
        if (at >= 0) waiting.splice(at, 1)
      }
    } else {
      const member = members.get(request.process)
      if (member?.state !== 'busy' || member.owner !== worker) return
      member.served++
      member.active = Date.now()
      const { maxRequests } = member.pool.spec.options
      if (request.how !== 'served') retire(member, request.how)
      else if (maxRequests > 0 && member.served >= maxRequests) retire(member, 'lifetime expired')
      else lend(member.pool, member)
      serve(member.pool)
    }
  }

  const end = (): void => {
    if (isEnding) return
    isEnding = true
    fs.rmSync(folder, { recursive: true, force: true })
    for (const member of members.values()) retire(member, 'shutting down')
    for (const pool of pools.values()) refuse(pool, 'the server ends')
    const until = performance.now() + END_LIMIT
    setInterval(() => {
      if (members.size === 0) process.exit(0)
      if (performance.now() < until) return
      for (const member of members.values()) signal(member, 'SIGKILL', true)
      process.exit(0)
    }, 20)
  }

  const tick = (): void => {
    if (workers.size > 0) aloneSince = performance.now()
    else if (performance.now() - aloneSince > ALONE_LIMIT) return end()
    const now = Date.now()
    for (const pool of pools.values()) {
      const { idleTimeout, lifetime, busyTimeout, minProcesses } = pool.spec.options
      let lasting = 0
      for (const { state } of pool.members) if (state !== 'ending') lasting++
      for (const member of [...pool.members]) {
        if (member.state === 'busy' && now - member.active > busyTimeout * 1000) {
          if (member.owner !== null) send(member.owner, { kind: 'busy', process: member.number })
          retire(member, 'busy timeout')
        }
        if (member.state !== 'idle' || lasting <= minProcesses) continue
        if (idleTimeout > 0 && now - member.active > idleTimeout * 1000) retire(member, 'idle timeout')
        else if (lifetime > 0 && now - member.started > lifetime * 1000) retire(member, 'lifetime expired')
        if (!pool.idle.includes(member)) lasting--
      }
      const late = performance.now() - WAIT_LIMIT
      while (pool.waiting.length > 0 && pool.waiting[0].since < late) {
        const waiter = pool.waiting.shift()
        if (waiter !== undefined) send(waiter.worker, { kind: 'none', id: waiter.id, reason: '' })
      }
      serve(pool)
    }
  }
  setInterval(tick, 1000)

  const control = createServer((worker) => {
    workers.add(worker)
    let line = ''
    worker.setEncoding('utf8').on('data', (part: string) => {
      const lines = (line + part).split('\n')
      line = lines.pop() ?? ''
      for (const each of lines) take(worker, JSON.parse(each))
    })
    worker.on('error', () => undefined)
    worker.on('close', () => {
      workers.delete(worker)
      for (const pool of pools.values())
        pool.waiting.splice(0, pool.waiting.length, ...pool.waiting.filter((waiter) => waiter.worker !== worker))
      // Nobody reads what they answer.
      for (const member of members.values()) if (member.owner === worker) retire(member, 'communication error')
    })
  })
  control.on('error', () => process.exit(1))
  control.listen({ path: `${folder}/c`, backlog: 128 }, () => fs.renameSync(`${folder}/c`, `${folder}/control`))
  process.on('SIGTERM', end)
  // Ctrl-C reaches the whole group: the workers decide when this process ends.
  process.on('SIGINT', () => undefined)
  process.on('SIGHUP', () => undefined)
}
