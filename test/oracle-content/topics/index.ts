import type { Topic } from '../content-case.ts'
import { aliases } from './aliases.ts'
import { answers } from './answers.ts'
import { caches } from './caches.ts'
import { fields } from './fields.ts'
import { hosts } from './hosts.ts'
import { listings } from './listings.ts'
import { proxies } from './proxies.ts'
import { ranges } from './ranges.ts'
import { scripts } from './scripts.ts'
import { small } from './small.ts'
import { types } from './types.ts'
import { variants } from './variants.ts'

export const TOPICS: Readonly<Record<string, Topic>> = {
  aliases,
  answers,
  caches,
  fields,
  hosts,
  listings,
  proxies,
  ranges,
  scripts,
  small,
  types,
  variants,
}
