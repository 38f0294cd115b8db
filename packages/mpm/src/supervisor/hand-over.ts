import {
  type FormerSums,
  type FromSupervisor,
  ownMessage,
  type ServerSums,
  type SuccessorState,
  type SuperviseOrder,
} from '../roles/messages.ts'
import { describeEnd, RoleProcess } from '../roles/role-process.ts'
import { roleSpawn, spawnRole } from '../roles/role-spawn.ts'
import { settledWithin } from '../roles/settled-within.ts'
import type { SocketLegacy } from '../sockets/socket-inventory.ts'
import type { StartFailure } from './generation.ts'
import type { SupervisorContext } from './supervisor-context.ts'

/** A supervisor that serves in place of this one. */
export interface Successor {
  readonly pid: number
  /** Reports what this supervisor has counted, which replaces what it reported before. */
  report(sums: ServerSums): void
  /** Reports for the last time, and lets it continue independently. */
  leave(sums: ServerSums): Promise<void>
}

/** The outcome of a hand-over: the successor serves, or nothing has changed. */
export type HandOver = { readonly successor: Successor } | { readonly failure: StartFailure }

/**
 * A successor that does not complete its start within this time (ms) is killed; its reader and its workers
 * have 60 s each.
 */
const PATIENCE = 150_000

/** The keys that the successor's workers share with those of this supervisor, and what was counted. */
export type HandedState = Pick<SuccessorState, 'secretKey' | 'rotatingKeys' | 'sums'>

/** Time for the last report (ms). */
const REPORT_PATIENCE = 1_000

/**
 * Starts the installed program as the successor of this supervisor, with its sockets and its key, and waits
 * until it serves.
 */
export function handOver(context: SupervisorContext, legacy: SocketLegacy, state: HandedState): Promise<HandOver> {
  const { program, streams, manager, task } = context
  const environment = { ...process.env, ...manager.environment }
  const call = roleSpawn('supervisor', program, streams, legacy.descriptors, environment)
  const said: string[] = []
  return new Promise((resolve) => {
    const fail = (cause: string): void => resolve({ failure: said.length > 0 ? said : [`the new supervisor ${cause}`] })
    const hear = (raw: unknown): void => {
      const message = ownMessage<FromSupervisor>(raw, {
        output: true,
        show: true,
        askSecret: true,
        serving: true,
        over: true,
      })
      if (message?.type === 'output') said.push(message.text)
      if (message?.type !== 'serving') return
      clearTimeout(late)
      resolve({ successor: successorOf(successor) })
    }
    const successor = new RoleProcess(spawnRole(call), { message: hear, error: (line) => said.push(line) })
    const late = setTimeout(() => successor.kill(), PATIENCE)
    const { inventory, descriptors } = legacy
    const heritage = { inventory, sockets: descriptors.length, ...state, streams }
    const order: SuperviseOrder = { type: 'supervise', task, heritage }
    successor.send(order)
    void successor.end.then((end) => {
      clearTimeout(late)
      fail(`has ended: ${describeEnd(end)}`)
    })
  })
}

function successorOf(child: RoleProcess): Successor {
  const message = (sums: ServerSums): FormerSums => ({ type: 'formerSums', sums })
  return {
    pid: child.pid,
    report: (sums) => child.send(message(sums)),
    leave: async (sums) => {
      await settledWithin(REPORT_PATIENCE, [child.sent(message(sums))])
      child.detach()
    },
  }
}
