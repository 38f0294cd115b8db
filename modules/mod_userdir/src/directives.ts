import { contexts, type DirectiveTable, directive } from '@gatewright/api'
import type { UserDirConfig } from './config.ts'

export const directives: DirectiveTable<undefined, UserDirConfig> = {
  UserDir: directive.raw({
    scope: 'server',
    context: contexts.inServers,
    help: 'location of user pages: folders or a URL, or disabled or enabled followed by users',
    set: (config, text, command) => {
      const [keyword, ...users] = command.words(text)
      if (keyword === undefined || keyword === '') return 'UserDir requires an argument.'
      switch (keyword.toLowerCase()) {
        case 'disable':
        case 'disabled':
          return note(config, 'disabled', users)
        case 'enable':
        case 'enabled':
          return note(config, 'enabled', users)
        default:
          config.places = [keyword, ...users]
          return undefined
      }
    },
  }),
}

function note(config: UserDirConfig, what: 'enabled' | 'disabled', users: readonly string[]): undefined {
  if (users.length === 0) config.everybody = what
  for (const user of users) config[what].add(user)
}
