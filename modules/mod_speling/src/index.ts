import { contexts, defineModule, directive, type Module } from '@gatewright/api'
import { createSpelingConfig, type SpelingConfig } from './config.ts'
import { SpellingCheck } from './spelling-check.ts'

const OPTIONS = { scope: 'directory', context: contexts.anywhere, override: 'Options' } as const

/** Leads clients from misspelt URLs to the files that were probably meant. */
const speling: Module<SpelingConfig> = defineModule({
  name: 'speling_module',
  source: 'mod_speling.c',
  capabilities: ['fs'],
  // As in httpd, there is no merging: a section with one of the directives replaces them all.
  perDirectory: { create: createSpelingConfig },
  directives: {
    CheckSpelling: directive.flag<SpelingConfig>({
      ...OPTIONS,
      help: 'whether or not to fix miscapitalized/misspelled requests',
      set: (config, on) => {
        config.enabled = on
      },
    }),
    CheckCaseOnly: directive.flag<SpelingConfig>({
      ...OPTIONS,
      help: 'whether or not to fix only miscapitalized requests',
      set: (config, on) => {
        config.caseOnly = on
      },
    }),
    CheckBasenameMatch: directive.flag<SpelingConfig>({
      ...OPTIONS,
      help: 'whether or not to fix files with the same base name',
      set: (config, on) => {
        config.basenames = on
      },
    }),
  },
  register({ hooks, configOf, log }) {
    const check = new SpellingCheck(configOf, log)
    hooks.fixups.add((request) => check.fix(request), { rank: 'last' })
  },
})
export default speling
