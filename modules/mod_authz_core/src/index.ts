import { contexts, defineModule, directive, type Module } from '@gatewright/api'
import { requireOpinionOf, requireSectionsOf, requireTreeOf } from '@gatewright/api/peers'
import { Authorizer } from './authorize.ts'
import { checkTrees } from './check-trees.ts'
import { type AuthzConfig, createAuthzConfig, type Merging, mergeAuthzConfig, requireTree } from './config.ts'
import { containerHandler } from './containers.ts'
import { opinionOf } from './opinion.ts'
import { addProviderAlias } from './provider-alias.ts'
import { allProvider } from './providers/all.ts'
import { envProvider } from './providers/env.ts'
import { exprProvider } from './providers/expr.ts'
import { methodProvider } from './providers/method.ts'
import { addRequire } from './require-line.ts'
import { contributingSections } from './require-sections.ts'

const authzCore: Module<AuthzConfig> = defineModule({
  name: 'authz_core_module',
  source: 'mod_authz_core.c',
  perDirectory: { create: createAuthzConfig, merge: mergeAuthzConfig },
  directives: {
    '<AuthzProviderAlias': directive.section({
      scope: 'server',
      context: contexts.mainServer,
      help: 'defines an authorization provider with fixed arguments under a new name',
      set: addProviderAlias,
    }),
    Require: directive.raw({
      scope: 'directory',
      context: contexts.inSections,
      override: 'AuthConfig',
      help: 'a test that a request must pass, or with `not` must fail',
      set: addRequire,
    }),
    '<RequireAll': directive.section({
      scope: 'directory',
      context: contexts.inSections,
      override: 'AuthConfig',
      help: 'passes when nothing inside fails and something passes',
      set: containerHandler('all', false),
    }),
    '<RequireAny': directive.section({
      scope: 'directory',
      context: contexts.inSections,
      override: 'AuthConfig',
      help: 'passes when something inside passes',
      set: containerHandler('any', false),
    }),
    '<RequireNone': directive.section({
      scope: 'directory',
      context: contexts.inSections,
      override: 'AuthConfig',
      help: 'fails when something inside passes',
      set: containerHandler('any', true),
    }),
    AuthMerging: directive.take1({
      scope: 'directory',
      context: contexts.inSections,
      override: 'AuthConfig',
      help: 'how the Require directives of this section combine with those of preceding sections: Off, And or Or',
      set: (config: AuthzConfig, word) => {
        const merging = MERGING.get(word.toLowerCase())
        if (merging === undefined) return 'AuthMerging must be one of: Off | And | Or'
        config.merging = merging
        return undefined
      },
    }),
    AuthzSendForbiddenOnFailure: directive.flag({
      scope: 'directory',
      context: contexts.inSections,
      override: 'AuthConfig',
      help: 'answers 403 instead of 401 when an authenticated user is not authorized',
      set: (config: AuthzConfig, on) => {
        config.sendForbidden = on
      },
    }),
  },
  register(host) {
    const { hooks, functions, providers, log } = host
    providers.authz.add('all', allProvider)
    providers.authz.add('env', envProvider)
    providers.authz.add('method', methodProvider)
    providers.authz.add('expr', exprProvider(log))

    functions.offer(requireTreeOf, (request) => requireTree(host.configOf(request)))
    functions.offer(requireOpinionOf, (request, section) => opinionOf(host.configIn(section), request))
    functions.offer(requireSectionsOf, () => contributingSections(host.placedConfigs()))

    hooks.checkConfig.add(() => checkTrees(host.placedConfigs()))
    const authorizer = new Authorizer(host)
    hooks.accessCheckerEx.add((request) => authorizer.decide(request, 'before authentication'), {
      rank: 'last',
      decidesBy: 'configuration',
    })
    hooks.authChecker.add((request) => authorizer.decide(request, 'after authentication'), {
      rank: 'last',
      decidesBy: 'configuration',
    })
  },
})

const MERGING: ReadonlyMap<string, Merging> = new Map([
  ['off', 'off'],
  ['and', 'and'],
  ['or', 'or'],
])

export default authzCore
