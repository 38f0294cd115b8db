import { type FromSupervisor, ownMessage, type SuperviseOrder, type SuperviseTask } from '../roles/messages.ts'
import { serveTerminal } from '../roles/remote-terminal.ts'
import { describeEnd, RoleProcess } from '../roles/role-process.ts'
import { type Program, roleSpawn, spawnRole } from '../roles/role-spawn.ts'
import type { StartConsole } from './supervisor-context.ts'

/**
 * Starts a server in the background.
 * @returns 0 when all its workers serve, or the exit status of a failed start, after its messages
 */
export function launch(task: SuperviseTask, program: Program, console: StartConsole): Promise<number> {
  return new Promise((resolve) => {
    let isReported = false
    const call = roleSpawn('supervisor', program, { stdout: 'ignore', stderr: 'ignore' }, [], process.env)
    const hear = (raw: unknown): void => {
      const message = ownMessage<FromSupervisor>(raw, { output: true, show: true, askSecret: true, serving: true, over: true })
      if (message === undefined) return
      if (message.type === 'show' || message.type === 'askSecret') {
        serveTerminal(console.terminal, message, (answer) => supervisor.send(answer))
        return
      }
      if (message.type === 'output') {
        if (message.stream === 'stdout') console.out(message.text)
        else console.err(message.text)
        return
      }
      isReported = true
      supervisor.detach()
      resolve(message.type === 'over' ? message.status : 0)
    }
    const supervisor = new RoleProcess(spawnRole(call), { message: hear, error: (line) => console.err(line) })
    const order: SuperviseOrder = { type: 'supervise', task }
    supervisor.send(order)
    void supervisor.end.then((end) => {
      if (isReported) return
      console.err(`${task.start.program}: the server could not be started: ${describeEnd(end)}`)
      resolve(1)
    })
  })
}
