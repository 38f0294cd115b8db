import { site } from '@gatewright/testing'
import t from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import logDebug from '../src/index.ts'

t.test('messages are written at their hooks, in the order of the sections, if their conditions hold', async (t) => {
  const server = await site({
    modules: [authzCore, logDebug],
    config: `LogLevel info
LogMessage "end of %{REQUEST_URI}"
LogMessage "never" "expr=false"
LogMessage "type" hook=type_checker "expr=%{REQUEST_URI} =~ m#txt#"
LogMessage "start" hook=translate_name
<Location "/all">
LogMessage "every" hook=all
</Location>`,
    files: { 'docs/f.txt': 'f', 'docs/all/f.txt': 'a' },
  })
  t.teardown(() => server.close())
  const messages = (): string[] => server.errors().flatMap((line) => /\[log_debug:info\].*\] (.*)$/.exec(line)?.[1] ?? [])
  await server.inject('/f.txt')
  t.same(messages(), ['start', 'type', 'end of /f.txt'])
  await server.inject('/all/f.txt')
  const later = messages().slice(3)
  t.equal(later.filter((text) => text === 'every').length, 9, 'as often as in httpd for a file without authentication')
  t.equal(later.at(-1), 'every')
})

t.test('at debug, a message says where it comes from', async (t) => {
  const server = await site({
    modules: [authzCore, logDebug],
    config: 'LogLevel debug\nLogMessage text hook=fixups',
    files: { 'docs/f.txt': 'f' },
  })
  t.teardown(() => server.close())
  await server.inject('/f.txt')
  t.match(server.errors().join('\n'), /text \(fixups hook, .*:\d+\)/)
})

t.test('wrong lines are refused with the words of httpd', async (t) => {
  const refusals = [
    ['LogMessage text hook=nosuch', 'Invalid hook name: nosuch'],
    ['LogMessage text nosuch=x', 'Invalid argument nosuch=x'],
    ['LogMessage text "expr=("', "Could not parse expression '('"],
    ['LogMessage "%{nosuch("', "Could not parse message expression '%{nosuch('"],
  ] as const
  for (const [config, message] of refusals)
    await t.rejects(
      site({ modules: [authzCore, logDebug], config }),
      { message: new RegExp(message.replace(/[%{(]/g, '\\$&')) },
      config,
    )
})
