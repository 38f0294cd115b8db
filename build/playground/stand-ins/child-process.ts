import { EventEmitter } from 'node:events'
import { Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { systemError } from './system-error.ts'

/** A program that cannot be started. */
export class ChildProcess extends EventEmitter {
  readonly pid = undefined
  readonly exitCode = null
  readonly signalCode = null
  readonly killed = false
  readonly stdin: PassThrough = new PassThrough()
  readonly stdout: PassThrough = new PassThrough()
  readonly stderr: PassThrough = new PassThrough()
  readonly stdio: readonly unknown[] = [this.stdin, this.stdout, this.stderr, new Socket()]

  constructor(program: string) {
    super()
    const error = systemError('ENOENT', `spawn ${program}`, program)
    setTimeout(() => {
      if (this.listenerCount('error') > 0) this.emit('error', error)
      this.emit('close', -2, null)
    }, 0)
  }

  kill(): boolean {
    return false
  }
  ref(): void {}
  unref(): void {}
}

export function spawn(program: string): ChildProcess {
  return new ChildProcess(program)
}

export function spawnSync(program: string): object {
  return { error: systemError('ENOENT', `spawnSync ${program}`, program), status: null, signal: null, stdout: '', stderr: '' }
}

export function execFile(program: string, ...more: readonly unknown[]): ChildProcess {
  const done = more.at(-1)
  const child = new ChildProcess(program)
  child.on('error', (error) => {
    if (typeof done === 'function') done(error, '', '')
  })
  return child
}
