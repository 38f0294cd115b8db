export { Agent } from './http.ts'
