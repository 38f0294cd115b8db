export { runWorker } from './worker/worker-role.ts'
