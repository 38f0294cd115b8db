import { contexts, type DirectiveTable, directive, directivePlace } from '@gatewright/api'
import type { DirConfig } from './config.ts'

export const directives: DirectiveTable<DirConfig, undefined> = {
  DirectoryIndex: directive.raw({
    scope: 'directory',
    context: contexts.anywhere,
    override: 'Indexes',
    help: 'index file names to look for in a folder, or disabled',
    set: (config, text, command) => {
      const names = command.words(text)
      config.indexPlace = directivePlace(command)
      // If this word is alone, it empties the list; among other words it is a name.
      if (names.length === 1 && names[0].toLowerCase() === 'disabled') config.indexNames = []
      else {
        config.indexNames ??= []
        for (const name of names) config.indexNames.push(name)
      }
    },
  }),
  DirectoryIndexRedirect: directive.take1({
    scope: 'directory',
    context: contexts.anywhere,
    override: 'Indexes',
    help: 'On, Off, or the 3xx status of a redirect to the index',
    set: (config, word) => {
      const status = redirectStatus(word)
      if (typeof status === 'string') return status
      config.indexRedirect = status
      return undefined
    },
  }),
  DirectorySlash: directive.flag({
    scope: 'directory',
    context: contexts.anywhere,
    override: 'Indexes',
    help: 'whether the server redirects the URL of a folder to the URL with a slash',
    set: (config, on) => {
      config.slash = on
    },
  }),
  DirectoryCheckHandler: directive.flag({
    scope: 'directory',
    context: contexts.anywhere,
    override: 'Indexes',
    help: 'whether mod_dir ignores folders that have a handler',
    set: (config, on) => {
      config.checkHandler = on
    },
  }),
  FallbackResource: directive.take1({
    scope: 'directory',
    context: contexts.anywhere,
    override: 'Indexes',
    help: 'URL path to serve if no file exists, or disabled',
    set: (config, path, command) => {
      config.fallbackPlace = directivePlace(command)
      config.fallback = path.toLowerCase() === 'disabled' ? null : path
    },
  }),
}

const STATUS_WORDS: ReadonlyMap<string, number> = new Map([
  ['on', 302],
  ['off', 0],
  ['temp', 302],
  ['permanent', 301],
  ['seeother', 303],
])

/** The status for a word, or an error text. */
function redirectStatus(word: string): number | string {
  const named = STATUS_WORDS.get(word.toLowerCase())
  if (named !== undefined) return named
  const digits = /^\d+/.exec(word)
  if (digits === null) return 'DirectoryIndexRedirect ON|OFF|permanent|temp|seeother|3xx'
  const status = Number(digits[0])
  return status >= 300 && status <= 399 ? status : 'DirectoryIndexRedirect only accepts values between 300 and 399'
}
