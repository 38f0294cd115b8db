import { type Context, contexts, type DirectiveTable, directive } from '@gatewright/api'
import { addAlias, addAliasMatch } from './add-alias.ts'
import { addRedirect, addRedirectMatch } from './add-redirect.ts'
import type { AliasConfig } from './config.ts'

const CONFIGURATION_FILES: readonly Context[] = ['server', 'virtualhost', 'directory']

const ALIAS_HELP = 'a URL path and its target, or in a Location only the target'
const ALIAS_MATCH_HELP = 'a regular expression for URL paths and their target'
const CGI = 'cgi-script'
const FOUND = 302
const MOVED_PERMANENTLY = 301

export const directives: DirectiveTable<AliasConfig, undefined> = {
  Alias: directive.take12({
    scope: 'directory',
    context: CONFIGURATION_FILES,
    help: ALIAS_HELP,
    set: (config, first, second, command) => addAlias(config, first, second, null, command),
  }),
  ScriptAlias: directive.take12({
    scope: 'directory',
    context: CONFIGURATION_FILES,
    help: ALIAS_HELP,
    set: (config, first, second, command) => addAlias(config, first, second, CGI, command),
  }),
  AliasMatch: directive.take2({
    scope: 'directory',
    context: contexts.inServers,
    help: ALIAS_MATCH_HELP,
    set: (config, regex, target, command) => addAliasMatch(config, regex, target, null, command),
  }),
  ScriptAliasMatch: directive.take2({
    scope: 'directory',
    context: contexts.inServers,
    help: ALIAS_MATCH_HELP,
    set: (config, regex, target, command) => addAliasMatch(config, regex, target, CGI, command),
  }),
  Redirect: directive.take123({
    scope: 'directory',
    context: contexts.anywhere,
    override: 'FileInfo',
    help: 'a status other than 302, a URL path, and the URL to which it moved',
    set: (config, first, second, third, command) => addRedirect(config, [first, second, third], FOUND, command),
  }),
  RedirectMatch: directive.take23({
    scope: 'directory',
    context: contexts.anywhere,
    override: 'FileInfo',
    help: 'a status other than 302, a regular expression for URL paths, and the URL to which they moved',
    set: (config, first, second, third, command) => addRedirectMatch(config, first, second, third, command),
  }),
  RedirectTemp: directive.take2({
    scope: 'directory',
    context: contexts.anywhere,
    override: 'FileInfo',
    help: 'a URL path and the URL to which it moved temporarily',
    set: (config, first, second, command) => addRedirect(config, [first, second], FOUND, command),
  }),
  RedirectPermanent: directive.take2({
    scope: 'directory',
    context: contexts.anywhere,
    override: 'FileInfo',
    help: 'a URL path and the URL to which it moved permanently',
    set: (config, first, second, command) => addRedirect(config, [first, second], MOVED_PERMANENTLY, command),
  }),
  RedirectRelative: directive.flag({
    scope: 'directory',
    context: contexts.anywhere,
    override: 'FileInfo',
    help: 'whether the Location field contains a path as written',
    set: (config, on) => {
      config.relativeRedirects = on
    },
  }),
  AliasPreservePath: directive.flag({
    scope: 'directory',
    context: contexts.anywhere,
    override: 'FileInfo',
    help: 'whether an Alias in a Location appends the rest of the URL path',
    set: (config, on) => {
      config.preservePath = on
    },
  }),
}
