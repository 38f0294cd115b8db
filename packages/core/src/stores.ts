export { ExpiringStore } from './services/expiring-store.ts'
export { Topics } from './services/topics.ts'
