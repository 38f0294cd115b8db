import { contexts, type Directive, type DirectiveTable, directive } from '@gatewright/api'
import type { AnonConfig } from './config.ts'

type Switch = 'mustGiveEmail' | 'noUserId' | 'verifyEmail' | 'logEmail'

export const directives: DirectiveTable<AnonConfig, undefined> = {
  Anonymous: directive.iterate({
    scope: 'directory',
    context: contexts.inSections,
    override: 'AuthConfig',
    help: 'a space-separated list of user IDs',
    set: (config: AnonConfig, name) => {
      if (name === '') return 'Anonymous string cannot be empty, use Anonymous_NoUserId'
      if (name === '*') config.anyUser = true
      else (config.users ??= new Set()).add(name.toLowerCase())
      return undefined
    },
  }),
  Anonymous_MustGiveEmail: flag('mustGiveEmail', 'Off accepts an empty password'),
  Anonymous_NoUserId: flag('noUserId', 'On accepts an empty name'),
  Anonymous_VerifyEmail: flag('verifyEmail', 'On requires an @ and a dot in the password'),
  Anonymous_LogEmail: flag('logEmail', 'Off keeps passwords out of the error log'),
}

function flag(name: Switch, help: string): Directive<AnonConfig, undefined> {
  return directive.flag({
    scope: 'directory',
    context: contexts.inSections,
    override: 'AuthConfig',
    help,
    set: (config: AnonConfig, on) => {
      config[name] = on
    },
  })
}
