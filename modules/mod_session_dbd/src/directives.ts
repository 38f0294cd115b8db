import { contexts, type Directive, type DirectiveTable, directive } from '@gatewright/api'
import { cookieWords } from '@gatewright/api/text'
import type { SessionDbdConfig, Task } from './config.ts'

const common = { scope: 'directory', context: contexts.anywhere, override: 'AuthConfig' } as const

export const directives: DirectiveTable<SessionDbdConfig, undefined> = {
  SessionDBDSelectLabel: label('select', 'Query label used to select a new session'),
  SessionDBDInsertLabel: label('insert', 'Query label used to insert a new session'),
  SessionDBDUpdateLabel: label('update', 'Query label used to update an existing session'),
  SessionDBDDeleteLabel: label('delete', 'Query label used to delete an existing session'),
  SessionDBDPerUser: directive.flag({
    ...common,
    help: 'Save the session per user',
    set: (config: SessionDbdConfig, on) => {
      config.perUser = on
    },
  }),
  SessionDBDCookieRemove: directive.flag({
    ...common,
    help: 'Remove the session cookie after session load. On by default.',
    set: (config: SessionDbdConfig, on) => {
      config.remove = on
    },
  }),
  SessionDBDCookieName: cookie('cookie', 'The name of the RFC2109 cookie carrying the session key'),
  SessionDBDCookieName2: cookie('cookie2', 'The name of the RFC2965 cookie carrying the session key'),
}

function label(task: Task, help: string): Directive<SessionDbdConfig, undefined> {
  return directive.take1({
    ...common,
    help,
    set: (config: SessionDbdConfig, text) => {
      config.labels = { ...config.labels, [task]: text }
    },
  })
}

function cookie(name: 'cookie' | 'cookie2', help: string): Directive<SessionDbdConfig, undefined> {
  return directive.raw({
    ...common,
    help,
    set: (config: SessionDbdConfig, text, command) => {
      const words = cookieWords(text)
      if (words.name === '') return `${command.name} requires at least one argument!`
      if (/[=;&]/.test(words.name)) return `${command.name} cannot contain '=', ';' or '&'.`
      config[name] = words
      return undefined
    },
  })
}
