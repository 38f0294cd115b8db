import { defineModule, type StartContext, type StartHook } from '@gatewright/api'
import t from 'tap'
import { PersonWait } from '../src/host/person-wait.ts'
import { runStartHook } from '../src/host/start-hooks.ts'
import { HookList } from '../src/modules/hook-registry.ts'

const CONTEXT: StartContext = {
  servers: [],
  checkOnly: false,
  isFirst: true,
  listeners: [],
  defined: () => false,
  serverRelative: (path) => path,
  runtimeRelative: (path) => path,
  typesConfig: 'conf/mime.types',
  terminal: null,
  awaitPerson: (action) => Promise.resolve(action),
  print: () => undefined,
}

/**
 * The result of postConfig with these functions of mod_tardy, each with a limit of `deadline` milliseconds.
 */
function run(deadline: number, ...functions: readonly StartHook[]): Promise<string | undefined> {
  const list = new HookList<StartHook>('postConfig')
  const module = defineModule({ name: 'tardy_module', source: 'mod_tardy.c', register: () => undefined })
  const hook = list.bind({ module, index: 0, builtIn: false, file: null, shortName: 'tardy' })
  for (const fn of functions) hook.add(fn)
  return runStartHook('postConfig', list.sorted(), CONTEXT, { deadline }).then((problem) => problem?.message)
}
const never = (): Promise<undefined> => new Promise(() => undefined)

t.test('a function that never settles is an error that names hook and module', async (t) => {
  t.equal(await run(50, never), 'hook postConfig of mod_tardy.c failed: it did not settle within 0.05 s')
})

t.test('each function has the full time limit, and its result is kept', async (t) => {
  const soon =
    (result?: string): StartHook =>
    () =>
      new Promise((resolve) => setTimeout(() => resolve(result), 30))
  t.equal(await run(5_000, soon(), soon(), () => undefined), undefined)
  t.equal(await run(5_000, soon(), soon('no'), never), 'no')
  t.equal(await run(5_000, soon(''), never), '', 'a failure without a word')
})

t.test('a function that rejects or throws is named, too', async (t) => {
  const named = 'hook postConfig of mod_tardy.c failed: not now'
  t.equal(await run(5_000, () => Promise.reject(new Error('not now'))), named)
  t.equal(
    await run(5_000, () => {
      throw new Error('not now')
    }),
    named,
  )
})

t.test('the time in which a person has to act does not count', async (t) => {
  const list = new HookList<StartHook>('postConfig')
  const module = defineModule({ name: 'asking_module', source: 'mod_asking.c', register: () => undefined })
  const hook = list.bind({ module, index: 0, builtIn: false, file: null, shortName: 'asking' })
  const changes: boolean[] = []
  const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
  let asked = 0
  const terminal = { show: () => undefined, askSecret: () => answers[asked++].promise }
  const person = new PersonWait({ terminal, onWaitingForPerson: (isWaiting) => changes.push(isWaiting) })
  let checks = 0
  const isExtended = (): boolean => {
    // Each answer comes only after the limit was reached.
    const waited = person.takeWaited()
    answers[checks++]?.resolve(`answer ${checks}`)
    return waited
  }
  const given: (string | null | undefined)[] = []
  hook.add(async () => {
    for (const prompt of ['a', 'b']) given.push(await person.terminal?.askSecret(prompt))
  })
  t.equal(await runStartHook('postConfig', list.sorted(), CONTEXT, { deadline: 20, isExtended }), undefined)
  t.strictSame(given, ['answer 1', 'answer 2'])
  t.strictSame(changes, [true, false, true, false])
  person.takeWaited()
  t.notOk(person.takeWaited(), 'later time counts')
})
