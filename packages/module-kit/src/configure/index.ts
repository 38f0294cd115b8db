export { ConfigureError } from './configure-error.ts'
export type { NiceFile } from './nice-text.ts'
export { readNiceFile } from './read-nice-file.ts'
export { type ConfigureWord, parseWords } from './words.ts'
