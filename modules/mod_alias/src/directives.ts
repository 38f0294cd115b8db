import { type Context, type DirectiveTable, directive } from '@gatewright/api'
import { addAlias, addAliasMatch } from './add-alias.ts'
import { addRedirect, addRedirectMatch } from './add-redirect.ts'
import type { AliasConfig } from './config.ts'

const SERVER: readonly Context[] = ['server', 'virtualhost']
const CONFIGURATION_FILES: readonly Context[] = ['server', 'virtualhost', 'directory']
const ANYWHERE: readonly Context[] = ['server', 'virtualhost', 'directory', 'htaccess']

const ALIAS_HELP = 'a URL path and what it stands for, or in a Location only the latter'
const ALIAS_MATCH_HELP = 'a regular expression for URL paths and the file they stand for'
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
    context: SERVER,
    help: ALIAS_MATCH_HELP,
    set: (config, regex, target, command) => addAliasMatch(config, regex, target, null, command),
  }),
  ScriptAliasMatch: directive.take2({
    scope: 'directory',
    context: SERVER,
    help: ALIAS_MATCH_HELP,
    set: (config, regex, target, command) => addAliasMatch(config, regex, target, CGI, command),
  }),
  Redirect: directive.take123({
    scope: 'directory',
    context: ANYWHERE,
    override: 'FileInfo',
    help: 'a status if it is not 302, a URL path, and the URL it moved to',
    set: (config, first, second, third, command) => addRedirect(config, [first, second, third], FOUND, command),
  }),
  RedirectMatch: directive.take23({
    scope: 'directory',
    context: ANYWHERE,
    override: 'FileInfo',
    help: 'a status if it is not 302, a regular expression for URL paths, and the URL they moved to',
    set: (config, first, second, third, command) => addRedirectMatch(config, first, second, third, command),
  }),
  RedirectTemp: directive.take2({
    scope: 'directory',
    context: ANYWHERE,
    override: 'FileInfo',
    help: 'a URL path and the URL it moved to for now',
    set: (config, first, second, command) => addRedirect(config, [first, second], FOUND, command),
  }),
  RedirectPermanent: directive.take2({
    scope: 'directory',
    context: ANYWHERE,
    override: 'FileInfo',
    help: 'a URL path and the URL it moved to for good',
    set: (config, first, second, command) => addRedirect(config, [first, second], MOVED_PERMANENTLY, command),
  }),
  RedirectRelative: directive.flag({
    scope: 'directory',
    context: ANYWHERE,
    override: 'FileInfo',
    help: 'whether a path is sent as it is in Location',
    set: (config, on) => {
      config.relativeRedirects = on
    },
  }),
  AliasPreservePath: directive.flag({
    scope: 'directory',
    context: ANYWHERE,
    override: 'FileInfo',
    help: 'whether an Alias in a Location appends the rest of the URL path',
    set: (config, on) => {
      config.preservePath = on
    },
  }),
}
