import * as api from '@gatewright/api-2.2'
import t from 'tap'

const http = (name: string): string => `HTTP_${name}`

t.test('the line is frozen: what a stamp is made of never changes again', (t) => {
  t.equal(api.API_VERSION, '2.2.43')
  t.equal(api.MODULE_MAGIC_COOKIE, 'AP22')
  t.equal(api.MODULE_MAGIC_NUMBER_MAJOR, 20051115)
  t.end()
})

t.test('the line is frozen: it exports these names and no others', (t) => {
  t.strictSame(
    Object.keys(api).sort(),
    [
      'API_VERSION',
      'DECLINED',
      'DONE',
      ...[
        'BAD_REQUEST',
        'FORBIDDEN',
        'INTERNAL_SERVER_ERROR',
        'METHOD_NOT_ALLOWED',
        'MOVED_PERMANENTLY',
        'MOVED_TEMPORARILY',
      ].map(http),
      ...['NOT_FOUND', 'NOT_IMPLEMENTED', 'NOT_MODIFIED', 'OK', 'PRECONDITION_FAILED', 'REQUEST_ENTITY_TOO_LARGE'].map(http),
      ...['SERVICE_UNAVAILABLE', 'UNAUTHORIZED'].map(http),
      ...['FILTER_RANK', 'KNOWN_METHODS', 'LOG_LEVELS', 'MODULE_MAGIC_COOKIE', 'MODULE_MAGIC_NUMBER_MAJOR'],
      ...['M_CONNECT', 'M_DELETE', 'M_GET', 'M_INVALID', 'M_OPTIONS', 'M_POST', 'M_PUT', 'M_TRACE', 'MethodSet', 'OK', 'Table'],
      ...['defineModule', 'directive', 'escapeHtml', 'httpDate', 'httpStatus', 'isCommandError', 'optionalFunction'],
    ].sort(),
  )
  t.end()
})

t.test('a module is returned as a frozen copy of its definition', (t) => {
  const definition = { name: 'a_module', source: 'mod_a.c' }
  const module = api.defineModule(definition)
  t.match(module, definition)
  t.ok(Object.isFrozen(module))
  t.end()
})

t.test('a name or source of another form is refused', (t) => {
  t.throws(() => api.defineModule({ name: 'a', source: 'mod_a.c' }), { message: 'module name must end in _module: a' })
  t.throws(() => api.defineModule({ name: 'a_module', source: 'mod_a.ts' }), { message: /must be a file name that ends in \.c/ })
  t.end()
})
