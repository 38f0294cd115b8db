import t from 'tap'
import { busyPlace } from '../src/supervisor/busy-place.ts'

t.test('the innermost call of a module is named, with its file and line', (t) => {
  const stack = [
    'RegExp.test (<anonymous>)',
    'check (node:internal/x:1:2)',
    'spin (file:///srv/my%20site/modules/mod_loop.mjs:12:5)',
    'run (file:///srv/lib/httpd.mjs:100:7)',
  ]
  t.equal(busyPlace(stack), 'it was busy in module loop: spin (/srv/my site/modules/mod_loop.mjs:12)')
  t.end()
})

t.test('the hook is named by the function that calls it, the innermost one where a hook runs within another', (t) => {
  const stack = [
    'RegExp.test (<anonymous>)',
    'file:///srv/modules/mod_loop.mjs:3:14',
    'hook fixups (file:///srv/lib/httpd.mjs:80:9)',
    'run (file:///srv/lib/httpd.mjs:100:7)',
    'hook handler (file:///srv/lib/httpd.mjs:80:9)',
  ]
  t.equal(busyPlace(stack), 'it was busy in module loop, hook fixups: a function without a name (/srv/modules/mod_loop.mjs:3)')
  t.equal(busyPlace(stack.slice(2)), 'it was busy in core, hook fixups: hook fixups (/srv/lib/httpd.mjs:80)')
  t.end()
})

t.test('a module may have a file of any name in modules/, and a function none', (t) => {
  t.equal(
    busyPlace(['file:///srv/modules/greeting.mjs:3:14', 'run (file:///srv/lib/httpd.mjs:100:7)']),
    'it was busy in module greeting: a function without a name (/srv/modules/greeting.mjs:3)',
  )
  t.end()
})

t.test('without a module it is core, and without a stack it is unknown', (t) => {
  t.equal(
    busyPlace(['loop (node:internal/x:1:2)', 'new Walk (file:///srv/lib/httpd.mjs:100:7)']),
    'it was busy in core: new Walk (/srv/lib/httpd.mjs:100)',
  )
  t.equal(busyPlace(['native']), 'it was busy in core: native')
  t.equal(busyPlace([]), 'it was not executing JavaScript: it was blocked in a system call, or was waiting')
  t.end()
})
