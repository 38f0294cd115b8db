import * as api from '@gatewright/api-2.2'
import t from 'tap'

t.test('the line is frozen: what a stamp is made of never changes again', (t) => {
  t.equal(api.API_VERSION, '2.2.43')
  t.equal(api.MODULE_MAGIC_COOKIE, 'AP22')
  t.equal(api.MODULE_MAGIC_NUMBER_MAJOR, 20051115)
  t.end()
})

t.test('the line is frozen: it exports these names and no others', (t) => {
  t.strictSame(Object.keys(api).sort(), [
    'API_VERSION',
    'DECLINED',
    'DONE',
    'HTTP_FORBIDDEN',
    'HTTP_INTERNAL_SERVER_ERROR',
    'HTTP_NOT_FOUND',
    'HTTP_UNAUTHORIZED',
    'MODULE_MAGIC_COOKIE',
    'MODULE_MAGIC_NUMBER_MAJOR',
    'OK',
    'defineModule',
  ])
  t.end()
})

t.test('a module is returned as a frozen copy of its definition', (t) => {
  const definition = { name: 'a_module', source: 'mod_a.c' }
  const module = api.defineModule(definition)
  t.strictSame(module, definition)
  t.ok(Object.isFrozen(module))
  t.end()
})

t.test('a name or source of another form is refused', (t) => {
  t.throws(() => api.defineModule({ name: 'a', source: 'mod_a.c' }), { message: 'module name must end in _module: a' })
  t.throws(() => api.defineModule({ name: 'a_module', source: 'mod_a.ts' }), { message: /must be a file name that ends in \.c/ })
  t.end()
})
