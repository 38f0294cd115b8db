export { moduleOfStack } from './base/module-of-stack.ts'
export { withSourcePositions } from './base/source-positions.ts'
