import { statSync } from 'node:fs'
import { type Context, type Directive, type DirectiveTable, directive, type SetResult } from '@gatewright/api'
import { isOn, type PhpConfig, type PhpServerConfig, withSetting } from './settings.ts'

const EVERYWHERE: readonly Context[] = ['server', 'virtualhost', 'directory', 'htaccess']
const SERVER_FILES: readonly Context[] = ['server', 'virtualhost', 'directory']
/** Names of PHP's settings. */
const NAME = /^[A-Za-z_][\w.-]*$/

type Kind = 'value' | 'flag'

function setting(kind: Kind, isAdmin: boolean): Directive<PhpConfig, PhpServerConfig> {
  return directive.take2<PhpConfig>({
    scope: 'directory',
    context: isAdmin ? SERVER_FILES : EVERYWHERE,
    override: 'Options',
    help: kind === 'flag' ? 'name of a setting, and on or off' : 'name of a setting, and its value',
    set: (config, name, word): SetResult => {
      const directiveName = `php_${isAdmin ? 'admin_' : ''}${kind}`
      if (!NAME.test(name)) return `${directiveName}: '${name}' is not the name of a setting`
      const value = kind === 'flag' ? (isOn(word) ? '1' : '0') : word.toLowerCase() === 'none' ? '' : word
      config.settings = withSetting(config.settings, name, { value, isAdmin })
      return undefined
    },
  })
}

export const directives: DirectiveTable<PhpConfig, PhpServerConfig> = {
  php_value: setting('value', false),
  php_flag: setting('flag', false),
  php_admin_value: setting('value', true),
  php_admin_flag: setting('flag', true),
  PHPIniDir: directive.take1<PhpServerConfig>({
    scope: 'server',
    context: ['server'],
    help: 'the folder of php.ini',
    set: (config, path, command): SetResult => {
      const folder = command.serverRelative(path)
      if (statSync(folder, { throwIfNoEntry: false }) === undefined) return `PHPIniDir: ${folder} does not exist`
      config.iniFolder = folder
      return undefined
    },
  }),
}
