import { contexts, defineModule, directive, type Module } from '@gatewright/api'
import { defineMacro } from './define.ts'
import { createMacros, type Macros } from './macros.ts'
import { removeMacro, useMacro } from './use.ts'

const PLACE = { scope: 'server', context: contexts.anywhere, override: 'All', readTime: true } as const

const macro: Module<undefined, Macros> = defineModule({
  name: 'macro_module',
  source: 'mod_macro.c',
  perServer: { create: createMacros },
  directives: {
    '<Macro': directive.definition({
      ...PLACE,
      help: 'name and parameters of lines that Use inserts',
      set: (macros, text, nextLine, command) => defineMacro(macros, text, nextLine, command),
    }),
    UndefMacro: directive.take1({
      ...PLACE,
      help: 'name of a macro to remove',
      set: (macros, name) => removeMacro(macros, name),
    }),
    Use: directive.raw({
      ...PLACE,
      help: 'name of a macro, and an argument for each of its parameters',
      set: (macros, text, command) => useMacro(macros, command.words(text), command),
    }),
    MacroIgnoreBadNesting: directive.raw({
      ...PLACE,
      help: 'no warnings about unbalanced sections in macros',
      set: (macros) => {
        macros.ignoreBadNesting = true
      },
    }),
    MacroIgnoreEmptyArgs: directive.raw({
      ...PLACE,
      help: 'no warnings about empty arguments',
      set: (macros) => {
        macros.ignoreEmptyArguments = true
      },
    }),
  },
})
export default macro
