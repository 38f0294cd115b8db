import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { stageConfiguration } from '../build/stage-configuration.ts'

t.test('staging the example site again keeps the modules that apxs activated, as long as they are there', async (t) => {
  const root = t.testdir({ modules: { 'mod_guest.mjs': '' } })
  stageConfiguration(root)
  const main = join(root, 'conf/httpd.conf')
  const first = readFileSync(main, 'utf8')
  const line = 'LoadModule guest_module         modules/mod_guest.mjs'
  mkdirSync(join(root, 'logs'))
  writeFileSync(
    main,
    `# edited\n${first.replace(/^LoadModule /m, `${line}\nLoadModule gone_module modules/mod_gone.mjs\nLoadModule `)}`,
  )
  for (const turn of ['once', 'twice']) {
    stageConfiguration(root)
    const text = readFileSync(main, 'utf8')
    t.equal(text.replace(`${line}\n`, ''), first, `${turn}: everything else is that of the project`)
    t.match(text, new RegExp(`^LoadModule .*\n${line}\n`, 'm'))
  }
  rmSync(join(root, 'modules/mod_guest.mjs'))
  stageConfiguration(root)
  t.equal(readFileSync(main, 'utf8'), first)
})
