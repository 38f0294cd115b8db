import { defineModule, directive, directivePlace, type Module, type Problem } from '@gatewright/api'
import { errorMessage } from '../base/error-text.ts'
import { internals } from '../config/command-impl.ts'
import { RegisterDeadline, registerModule } from '../config/register.ts'
import { loadModuleFile } from '../modules/loader.ts'
import { findModuleFile, ownModuleFile } from '../modules/module-file.ts'
import { readSmallFile } from '../modules/module-signature.ts'
import { readNamedModule } from '../modules/named-module.ts'
import { NameTaken } from '../modules/provider-registry.ts'
import { keysOfText, type SigningKey, signingKey } from '../modules/signing-key.ts'

/** LoadModule and LoadFile, and ModuleSignedBy, which httpd does not have. */
export const soModule: Module<undefined, undefined> = defineModule({
  name: 'so_module',
  source: 'mod_so.c',
  directives: {
    LoadModule: directive.take2({
      scope: 'server',
      context: ['server', 'virtualhost'],
      readTime: true,
      help: 'identifier of a module, and the file that contains it',
      set: (_config, name, path, command) => {
        const { configuration, services } = internals(command).context
        const loaded = configuration.registry.find(name)
        if (loaded !== undefined && !loaded.builtIn) {
          configuration.report('so', 'warn', 'AH01574', `module ${name} is already loaded, skipping`)
          return undefined
        }
        // The process model is always built in; a configuration that names one of httpd's loads nothing.
        if (/^mpm_(event|worker|prefork)_module$/.test(name)) {
          configuration.report('so', 'info', '', `${name} is not loaded: this server uses its built-in process model`)
          return undefined
        }
        if (loaded !== undefined && loaded.module.source === `mod_${name.replace(/_module$/, '')}.c`) {
          return {
            message: `module ${name} is built-in and can't be loaded`,
            hint: 'remove the line: the module is part of this server',
          }
        }
        const resolved = configuration.serverRelative(path)
        const { modulesFolder, isConfined } = configuration.options
        const own = isConfined === true ? ownModuleFile(resolved, modulesFolder) : resolved
        if (own === null) {
          // A file that does not exist is nobody's: the author learns what became of the module.
          const isMissing = findModuleFile(resolved, modulesFolder).kind === 'none'
          if (!isMissing) return strangersFile(path)
          const missing = readNamedModule(path, resolved, modulesFolder)
          if ('absent' in missing) {
            configuration.missingModules.add({ ...directivePlace(command), problem: missing.refusal, sentence: missing.absent })
            return undefined
          }
          return 'refusal' in missing ? missing.refusal : strangersFile(path)
        }
        const keys = configuration.moduleKeys
        const signing = keys === null ? null : { keys, ownModules: configuration.options.ownModules }
        const loading = loadModuleFile(name, path, own, modulesFolder, signing).then(async (result) => {
          if ('absent' in result) {
            configuration.missingModules.add({ ...directivePlace(command), problem: result.problem, sentence: result.absent })
            return undefined
          }
          if ('problem' in result) return result.problem
          try {
            await registerModule(configuration, services, result.module, { builtIn: false, file: result.file })
          } catch (error) {
            const reason = errorMessage(error)
            return { message: `Cannot load ${path} into server: ${result.file}: ${reason}`, hint: registerHint(error) }
          }
          configuration.report('so', 'debug', 'AH01575', `loaded module ${name} from ${result.file}`)
          return undefined
        })
        configuration.requestEffect({ kind: 'wait', done: loading })
        return undefined
      },
    }),
    ModuleSignedBy: directive.iterate({
      scope: 'server',
      context: ['server', 'virtualhost'],
      readTime: true,
      help: 'public keys, ed25519:BASE64 or files of them, one of which must have signed each module that does not come with the server',
      set: (_config, word, command) => {
        const { configuration } = internals(command).context
        if (configuration.moduleKeys === null) {
          const loaded = configuration.registry.modules.find(({ builtIn }) => !builtIn)
          if (loaded !== undefined) {
            return {
              message: `ModuleSignedBy comes too late: ${loaded.module.name} is already loaded`,
              hint: 'write ModuleSignedBy before the first LoadModule line',
            }
          }
        }
        const found = keysOfWord(word, command.serverRelative(word))
        if ('message' in found) return found
        configuration.moduleKeys = [...(configuration.moduleKeys ?? []), ...found.keys]
        return undefined
      },
    }),
    LoadFile: directive.iterate({
      scope: 'server',
      context: ['server', 'virtualhost'],
      readTime: true,
      help: 'shared libraries, which this server does not load',
      set: (_config, path, command) => {
        const resolved = command.serverRelative(path)
        const { source } = internals(command).context.configuration.options
        if (source.kind(resolved) !== 'missing') {
          command.report('warn', '', `LoadFile ${path} is ignored: modules of this server contain all code that they need`)
          return undefined
        }
        // A name without a slash is searched for in the system's library folders, and is shown as written.
        const shown = path.includes('/') ? resolved : path
        return {
          message: `Cannot load ${path} into server: ${shown}: cannot open shared object file: No such file or directory`,
          hint: 'remove the line: modules of this server contain all code that they need, and existing libraries are ignored',
        }
      },
    }),
  },
})

function keysOfWord(word: string, path: string): { readonly keys: readonly SigningKey[] } | Problem {
  const key = signingKey(word)
  if (key !== undefined) return { keys: [key] }
  if (word.startsWith('ed25519:')) {
    return {
      message: `ModuleSignedBy: '${word}' is not a key`,
      hint: 'a key is ed25519: and 44 characters of base64, as in the file NAME.pub of apxs --new-key NAME',
    }
  }
  const read = readSmallFile(path)
  if (!('text' in read)) {
    return {
      message: `ModuleSignedBy: cannot read ${path}: ${'missing' in read ? 'No such file or directory' : read.error}`,
      hint: 'name a file of public keys, or write a key as ed25519:BASE64',
    }
  }
  const found = keysOfText(read.text)
  return 'error' in found ? { message: `ModuleSignedBy: ${path} ${found.error}`, hint: found.hint } : found
}

function strangersFile(path: string): Problem {
  return {
    message: `Cannot load ${path} into server: the file is not a module of this installation`,
    hint: 'this check runs no code of other folders: httpd -t loads the module',
  }
}

function registerHint(error: unknown): string {
  if (error instanceof RegisterDeadline)
    return 'its register function waits for something that never happens: wait in postConfig or childInit instead, or when a request needs it'
  return error instanceof NameTaken
    ? error.hint
    : 'the module fails during registration: contact its author, or remove its LoadModule line'
}
