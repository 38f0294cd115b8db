import { site } from '@gatewright/testing'
import t from 'tap'
import alias from '../../../modules/mod_alias/src/index.ts'
import authzCore from '../../../modules/mod_authz_core/src/index.ts'

/** A way to write the same folder, in an Alias or a section, and the request that reaches it. */
const SPELLINGS: readonly (readonly [string, string])[] = [
  ['Alias /a @ROOT@/files/\n<Directory @ROOT@/files/private>\nRequire all denied\n</Directory>', '/a/private/x'],
  ['Alias /a/ @ROOT@/files//\n<Directory @ROOT@/files/private>\nRequire all denied\n</Directory>', '/a/private/x'],
  ['Alias /a @ROOT@/docs/../files\n<Directory @ROOT@/files/private>\nRequire all denied\n</Directory>', '/a/private/x'],
  [
    'MergeSlashes Off\nAlias /a @ROOT@/files\n<Directory @ROOT@/files/private>\nRequire all denied\n</Directory>',
    '/a//private/x',
  ],
  ['Alias /a @ROOT@/files\n<Directory @ROOT@/docs/../files/private>\nRequire all denied\n</Directory>', '/a/private/x'],
  ['Alias /a @ROOT@/files\n<Directory @ROOT@//files/./private/>\nRequire all denied\n</Directory>', '/a/private/x'],
]
for (const [config, target] of SPELLINGS) {
  t.test(`a closed folder stays closed, however its path is written: ${JSON.stringify(config)}`, async (t) => {
    const files = { 'files/private/x': 'secret', 'files/f': 'open' }
    const server = await site({ modules: [authzCore, alias], config, files })
    t.teardown(() => server.close())
    t.equal((await server.inject(target)).status, 403)
    t.equal((await server.inject('/a/f')).status, 200)
  })
}
