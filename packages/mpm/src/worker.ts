export { ownerOf } from './start/credentials.ts'
export { dropPrivileges } from './worker/drop-privileges.ts'
export { runWorker } from './worker/worker-role.ts'
