import type { Role } from '@gatewright/mpm/role'

/** The task of a process that the server has started itself. */
export async function runRole(role: Role): Promise<void> {
  switch (role) {
    case 'supervisor': {
      const { serveDetached } = await import('@gatewright/mpm/supervisor')
      const { thisProgram } = await import('./start.ts')
      serveDetached(thisProgram())
      break
    }
    case 'reader': {
      const { runReader } = await import('@gatewright/mpm/reader')
      const { COMPILED_IN } = await import('./compiled-in.ts')
      runReader(COMPILED_IN)
      break
    }
    case 'worker': {
      const { runWorker } = await import('@gatewright/mpm/worker')
      const { COMPILED_IN } = await import('./compiled-in.ts')
      runWorker(COMPILED_IN)
      break
    }
  }
}
