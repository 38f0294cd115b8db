import { join } from 'node:path'
import t from 'tap'
import { developmentConfiguration } from '../src/apxs/dev/development-configuration.ts'

t.test('a development server loads what its lines need as far as it is installed, unless configure compiled it in', (t) => {
  const modules = t.testdir({ 'mod_log_config.mjs': '', 'mod_mime.mjs': '' })
  const text = developmentConfiguration({
    root: '/root',
    modules,
    port: 81,
    file: '/built/mod_mime.mjs',
    identifier: 'mime_module',
    site: '/site',
    include: null,
    types: '/none',
  })
  const guarded = `<IfModule !log_config_module>\nLoadModule log_config_module "${join(modules, 'mod_log_config.mjs')}"\n</IfModule>\n`
  t.ok(text.includes(guarded), text)
  t.ok(text.indexOf(guarded) < text.indexOf('CustomLog'), 'before the line that needs it')
  t.notMatch(text, 'headers_module', 'it is not installed')
  t.strictSame(
    text.match(/LoadModule mime_module.*/g),
    ['LoadModule mime_module "/built/mod_mime.mjs"'],
    'the module under development',
  )
  t.end()
})
