import t from 'tap'
import { moduleLoadFile } from '../../src/package/module-load-file.ts'

t.test('a file names the modules that its module needs, unless they are compiled in', async (t) => {
  t.equal(moduleLoadFile('md', '/lib/modules', ['md', 'ssl']), '# Depends: ssl\nLoadModule md_module /lib/modules/mod_md.mjs\n')
  t.equal(moduleLoadFile('env', '/m', ['env']), 'LoadModule env_module /m/mod_env.mjs\n')
})
