import type { ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import type { EndRequest, ProgramSpec, SpawnReport, SpawnRequest } from './program-spec.ts'

/**
 * The program of the helper process that starts others: a large process would hold its event loop for the time of a fork,
 * about 100 ms with 200 MB. It runs from its text, so it uses nothing outside of itself.
 *
 * A caller connects for each program, sends what to start, with its length in front, and gets the other end of the standard
 * input and output of that program in the connection. Reports go to standard output, requests to end a program come from
 * standard input. With the end of standard input, all programs end.
 * @param path the socket to listen on
 */
export function spawnerProgram(path: string): void {
  const { spawn } = process.getBuiltinModule('node:child_process')
  const { createServer } = process.getBuiltinModule('node:net')
  const { accessSync, openSync, readdirSync, readFileSync, readSync, closeSync } = process.getBuiltinModule('node:fs')
  const { constants } = process.getBuiltinModule('node:os')
  const X_OK = 1
  /** O_CLOEXEC of Linux. */
  const CLOSE_ON_EXEC = 0o2000000
  /** How long a program may take to end after it was asked to, ms. */
  const PATIENCE = 3000
  /** The longest request, in bytes: more than the system takes as arguments and environment. */
  const LONGEST = 16 * 1024 * 1024
  const children = new Map<number, ChildProcess>()
  /** The numbers of programs, which are those of their groups, until the caller needs them no more. */
  const groups = new Map<number, number>()
  /** Streams of programs that are not yet started, by `ID:STREAM`. */
  const streams = new Map<string, Socket>()
  const waiting = new Map<number, () => void>()

  // Programs inherit nothing that this process has inherited: what it opens itself is closed when a program starts.
  for (const name of readdirSync('/proc/self/fd')) {
    try {
      const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${name}`, 'latin1'))?.[1] ?? '2000000'
      if (Number(name) > 2 && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0) closeSync(Number(name))
    } catch {
      // The descriptor of the folder itself.
    }
  }

  const report = (message: SpawnReport): void => void process.stdout.write(`${JSON.stringify(message)}\n`)
  const isAlive = (pid: number): boolean => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  /** Signals a program, or all processes of its group, also when it has ended before them. */
  const signal = (id: number, pid: number, name: NodeJS.Signals, isGroup: boolean): void => {
    const hasEnded = !children.has(id)
    // Another process has its number: the group is no longer that of the program.
    if (hasEnded && (!isGroup || isAlive(pid))) return
    try {
      process.kill(isGroup ? -pid : pid, name)
    } catch {
      // There is none.
    }
  }
  const end = (id: number, how: EndRequest['how']): void => {
    const pid = groups.get(id)
    groups.delete(id)
    if (pid === undefined) return
    const isGroup = how === 'broken'
    signal(id, pid, 'SIGTERM', isGroup)
    setTimeout(() => signal(id, pid, 'SIGKILL', isGroup), PATIENCE)
  }

  /** The text for the system, which is given UTF-8; null if other bytes are in it. */
  const native = (bytes: string): string | null => {
    const buffer = Buffer.from(bytes, 'latin1')
    const text = buffer.toString('utf8')
    return Buffer.from(text, 'utf8').equals(buffer) ? text : null
  }
  /** A word of a shell, for any bytes. */
  const quoted = (bytes: string): string =>
    /^[\x20-\x7e\n\t]*$/.test(bytes)
      ? `'${bytes.replaceAll("'", "'\\''")}'`
      : `"$(printf '${Buffer.from(bytes, 'latin1').reduce((text, byte) => `${text}\\${byte.toString(8).padStart(3, '0')}`, '')}x')"`
  /** Sets a variable to any bytes: a shell removes line feeds from the end of what it replaces, so there is an x after them. */
  const assigned = (name: string, bytes: string): string =>
    `${name}=${quoted(bytes)}; ${/^[\x20-\x7e\n\t]*$/.test(bytes) ? '' : `${name}=\${${name}%x}; `}`
  /** Lines of a shell that set the limits. */
  const limitLines = ({ limits }: ProgramSpec): string => {
    let text = ''
    for (const [letter, limit, unit] of [
      ['t', limits.cpu, 1],
      ['v', limits.memory, 1024],
      ['p', limits.processes, 1],
    ] as const) {
      if (limit === null) continue
      const value = (one: number | 'max'): string => (one === 'max' ? 'unlimited' : String(Math.floor(one / unit)))
      // dash has -p for the number of processes, other shells have -u.
      const set = (kind: string, one: number | 'max'): string =>
        letter === 'p'
          ? `ulimit -${kind}u ${value(one)} 2>/dev/null || ulimit -${kind}p ${value(one)} 2>/dev/null; `
          : `ulimit -${kind}${letter} ${value(one)} 2>/dev/null; `
      if (limit.soft !== 'max') text += set('S', limit.soft)
      if (limit.hard !== null && limit.hard !== 'max') text += set('H', limit.hard)
    }
    return text
  }
  /** The same program by way of a shell, which takes any bytes and sets limits. */
  const shellScript = (spec: ProgramSpec): string => {
    let text = ''
    let words = ''
    let count = 0
    const word = (bytes: string): string => {
      const name = `gw${count++}`
      text += assigned(name, bytes)
      return `"$${name}"`
    }
    const folder = word(spec.folder)
    const given = new Set(spec.env.map(([name]) => name))
    for (const name of ['PWD', 'OLDPWD', 'SHLVL', '_']) if (!given.has(name)) words += ` -u ${name}`
    for (const [name, value] of spec.env) words += ` ${word(`${name}=${value}`)}`
    words += ` ${word(spec.file)}`
    for (const arg of spec.args) words += ` ${word(arg)}`
    return `${text}cd ${folder} || exit 1; ${limitLines(spec)}exec /usr/bin/env${words}`
  }
  /** Whether the system executes the file: it is checked here, because the function of the C library tries a shell. */
  const isExecutable = (file: string): boolean => {
    const start = Buffer.alloc(4)
    try {
      accessSync(Buffer.from(file, 'latin1'), X_OK)
      const descriptor = openSync(Buffer.from(file, 'latin1'), 'r')
      try {
        const count = readSync(descriptor, start, 0, 4, 0)
        return start.toString('latin1', 0, Math.min(2, count)) === '#!' || start.toString('latin1') === '\x7fELF'
      } finally {
        closeSync(descriptor)
      }
    } catch {
      // It may be executed without being read; whatever is wrong with it is reported by its start.
      return true
    }
  }

  const start = (id: number, spec: ProgramSpec, socket: Socket): void => {
    const errors = streams.get(`${id}:errors`)
    const input = streams.get(`${id}:input`)
    streams.delete(`${id}:errors`)
    streams.delete(`${id}:input`)
    const failed = (errno: number): void => {
      children.delete(id)
      report({ kind: 'failed', id, errno: Math.abs(errno) })
      socket.destroy()
      errors?.destroy()
      input?.destroy()
    }
    if (socket.destroyed) return failed(constants.errno.EPIPE)
    if (!isExecutable(spec.file)) return failed(constants.errno.ENOEXEC)
    const texts = [spec.file, spec.folder, ...spec.args, ...spec.env.map(([name, value]) => `${name}=${value}`)].map(native)
    const isPlain = spec.limits.cpu === null && spec.limits.memory === null && spec.limits.processes === null
    const isDirect = isPlain && !texts.includes(null)
    const file = native(spec.file)
    try {
      const child = isDirect
        ? spawn(
            file ?? '',
            spec.args.map((arg) => native(arg) ?? ''),
            {
              argv0: native(spec.name) ?? undefined,
              cwd: native(spec.folder) ?? undefined,
              env: Object.fromEntries(spec.env.map(([name, value]) => [name, native(value) ?? ''])),
              stdio: [input ?? 'ignore', socket, errors ?? 2],
              detached: true,
            },
          )
        : spawn('/bin/sh', ['-c', shellScript(spec)], {
            env: {},
            stdio: [input ?? 'ignore', socket, errors ?? 2],
            detached: true,
          })
      children.set(id, child)
      child.on('error', (error: NodeJS.ErrnoException) => {
        if (child.pid === undefined) failed(error.errno ?? constants.errno.EIO)
      })
      child.on('exit', (status, name) => {
        children.delete(id)
        report({ kind: 'ended', id, status, signal: name })
      })
      if (child.pid === undefined) return
      groups.set(id, child.pid)
      // The program has its own descriptors of them.
      socket.destroy()
      errors?.destroy()
      input?.destroy()
      report({ kind: 'started', id, pid: child.pid })
    } catch (error) {
      failed(error instanceof Error && 'errno' in error && typeof error.errno === 'number' ? error.errno : constants.errno.EIO)
    }
  }

  const take = (request: SpawnRequest, socket: Socket): void => {
    if (request.stream !== undefined) {
      const key = `${request.id}:${request.stream}`
      streams.set(key, socket)
      socket.on('close', () => {
        if (streams.get(key) === socket) streams.delete(key)
      })
      waiting.get(request.id)?.()
      return
    }
    const { id, spec } = request
    const begin = (): void => {
      if (spec.errors === 'apart' && !streams.has(`${id}:errors`)) return
      if (spec.hasInput && !streams.has(`${id}:input`)) return
      waiting.delete(id)
      start(id, spec, socket)
    }
    waiting.set(id, begin)
    begin()
    socket.on('close', () => {
      if (waiting.delete(id)) report({ kind: 'failed', id, errno: constants.errno.EPIPE })
    })
  }

  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let arrived = Buffer.alloc(0)
    let isTaken = false
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      if (isTaken) return
      arrived = arrived.length === 0 ? chunk : Buffer.concat([arrived, chunk])
      if (arrived.length < 4) return
      const length = arrived.readUInt32BE(0)
      if (length > LONGEST) return void socket.destroy()
      if (arrived.length < 4 + length) return
      isTaken = true
      socket.pause()
      const request: SpawnRequest = JSON.parse(arrived.toString('utf8', 4, 4 + length))
      arrived = Buffer.alloc(0)
      take(request, socket)
    })
  })
  server.listen(path, () => report({ kind: 'ready' }))

  let line = ''
  process.stdin.setEncoding('utf8')
  process.stdin.on('data', (text: string) => {
    const lines = (line + text).split('\n')
    line = lines.pop() ?? ''
    for (const each of lines) {
      const request: EndRequest = JSON.parse(each)
      end(request.end, request.how)
    }
  })
  process.stdin.on('end', () => {
    server.close()
    for (const id of groups.keys()) end(id, 'broken')
    const timer = setInterval(() => {
      if (children.size === 0) process.exit(0)
    }, 20)
    setTimeout(() => {
      clearInterval(timer)
      process.exit(0)
    }, PATIENCE + 1000)
  })
  process.stdout.on('error', () => process.exit(1))
  // Ctrl-C and the end of a service reach the whole group: the process that this one serves decides when it ends.
  process.on('SIGINT', () => undefined)
  process.on('SIGTERM', () => undefined)
  process.on('SIGHUP', () => undefined)
}
