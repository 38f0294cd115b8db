import type { Rule } from './rule.ts'
import { satisfyAnyVoids } from './satisfy-any-voids.ts'

/** Every rule, by id. */
export const RULES: readonly Rule[] = [satisfyAnyVoids]
