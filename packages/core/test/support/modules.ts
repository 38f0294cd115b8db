import { type AnyModule, defineModule, directive, type Module, type ModuleHost, OK } from '@gatewright/api'

/** Grants access to everyone, because core alone denies all access. */
export const openModule: Module = defineModule({
  name: 'open_module',
  source: 'mod_open.c',
  register({ hooks }) {
    hooks.accessCheckerEx.add(() => OK)
  },
})

/** A module without configuration, with the given registration. `name` without `_module`. */
export function moduleOf(name: string, register: (host: ModuleHost<undefined, undefined>) => void): AnyModule {
  return defineModule({ name: `${name}_module`, source: `mod_${name}.c`, register })
}

interface Words {
  words: readonly string[]
}

/**
 * `Word TEXT...` in any context. The field X-Words of a response, including error pages, contains the words
 * of all sections that apply to the request, in the order of merging. Grants access to everyone.
 */
export const wordsModule: Module<Words> = defineModule<Words>({
  name: 'words_module',
  source: 'mod_words.c',
  perDirectory: {
    create: () => ({ words: [] }),
    merge: (base, over) => ({ words: [...base.words, ...over.words] }),
  },
  directives: {
    Word: directive.iterate({
      scope: 'directory',
      context: ['server', 'virtualhost', 'directory', 'htaccess'],
      override: 'FileInfo',
      help: 'words that the response shows',
      set: (config, word) => {
        config.words = [...config.words, word]
      },
    }),
  },
  register({ hooks, configOf }) {
    hooks.accessCheckerEx.add(() => OK)
    hooks.fixupHeaders.add((request) => request.headersOut.set('X-Words', configOf(request).words.join(' ')))
  },
})
