export { ExpiringStore } from './services/expiring-store.ts'
