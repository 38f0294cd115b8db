export { claimValues } from './claims.ts'
export { fetchJson, isJsonObject, type JsonObject, type JsonRequest } from './fetch-json.ts'
export { KeySource } from './key-source.ts'
export { addRequireClaim } from './require-claim.ts'
