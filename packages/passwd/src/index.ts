export { costRank } from './cost.ts'
export { type HashableScheme, type HashOptions, hashPassword } from './make.ts'
export { identifyScheme, isCheap, type Scheme } from './scheme.ts'
export { verifyPassword } from './verify.ts'
