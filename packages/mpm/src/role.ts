export { type Role, takeRole } from './roles/role.ts'
export { buildDate } from './start/build-date.ts'
