import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { freePort, Trial } from './fixtures/trial.ts'

const served = async (t: Test): Promise<Trial> => {
  const server = new Trial(t.testdir({}), await freePort())
  t.teardown(() => server.supervisor.stop('SIGTERM'))
  server.configure()
  void server.supervisor.run()
  await server.serving
  return server
}
const generationIn = (answer: string): number => JSON.parse(answer).generation

t.test('a graceful restart serves the new configuration and lets running requests end', async (t) => {
  const server = await served(t)
  const held = server.get('/held')
  await new Promise((resolve) => setTimeout(resolve, 50))
  server.supervisor.reload('SIGUSR1')
  await server.until((answer) => generationIn(answer) === 1)
  t.equal(generationIn(await held), 0)
  t.strictSame(
    server.log().map((line) => line.slice(0, 33)),
    [
      '[core:warn] AH00111: a warning',
      '[mpm_event:notice] AH00489: Stand',
      '[mpm_event:info] AH00490: Server ',
      '[core:notice] AH00094: Command li',
      '[mpm_event:notice] AH00493: SIGUS',
      '[core:warn] AH00111: a warning',
      '[mpm_event:notice] AH00489: Stand',
      '[mpm_event:info] AH00490: Server ',
      '[core:notice] AH00094: Command li',
    ],
  )
})

t.test('a module can ask for new workers, which have the configuration of the old ones', async (t) => {
  const server = await served(t)
  // The edited files are not read: they would be rejected.
  server.configure({ reader: 'refuses' })
  const held = server.get('/held')
  await server.get('/renew')
  await server.until((answer) => generationIn(answer) === 1)
  t.equal(generationIn(await held), 0, 'a running request ends in its own worker')
  const first = new Map<number, boolean>()
  while (first.size < 2) {
    const { slot, isFirst } = JSON.parse(await server.get('/'))
    first.set(slot, isFirst)
  }
  t.same([first.get(0), first.get(1)], [true, false], 'one of the new workers may change files')
  t.match(server.log().join('\n'), /new workers take over with the same configuration/)
  t.notMatch(server.log().join('\n'), /AH00493/)
})

t.test('no request is refused or lost while the configuration is loaded again and again', async (t) => {
  const server = await served(t)
  let over = false
  const client = async (): Promise<number> => {
    let answers = 0
    while (!over) {
      generationIn(await server.get('/'))
      answers++
    }
    return answers
  }
  const clients = [client(), client(), client()]
  for (let generation = 1; generation <= 4; generation++) {
    server.supervisor.reload('SIGUSR1')
    await server.until((answer) => generationIn(answer) === generation)
  }
  over = true
  const answers = await Promise.all(clients)
  t.ok(
    answers.every((count) => count > 10),
    `${answers}`,
  )
})

t.test('a reload changes the number of workers, and no connection is lost', async (t) => {
  const server = await served(t)
  let over = false
  const client = async (): Promise<number> => {
    let answers = 0
    while (!over) {
      generationIn(await server.get('/'))
      answers++
    }
    return answers
  }
  const clients = Array.from({ length: 6 }, client)
  const serving = async (): Promise<number> => {
    const answers = await Promise.all(Array.from({ length: 60 }, () => server.get('/')))
    return new Set(answers.map((answer) => JSON.parse(answer).pid)).size
  }
  for (const [index, workers] of [4, 1, 3, 1].entries()) {
    server.configure({}, { workers })
    server.supervisor.reload('SIGUSR1')
    await server.until((answer) => generationIn(answer) === index + 1)
    // A connection may still have waited for the previous generation.
    await server.drained(index + 1)
    t.equal(await serving(), workers)
  }
  over = true
  t.ok((await Promise.all(clients)).every((count) => count > 10))
})

t.test('a rejected configuration leaves the server unchanged', async (t) => {
  const server = await served(t)
  server.configure({ reader: 'refuses' })
  server.supervisor.reload('SIGHUP')
  await server.until(() => server.log().some((line) => line.includes('cannot be used')))
  t.equal(generationIn(await server.get('/')), 0)
  t.strictSame(server.log().slice(-4), [
    '[mpm_event:notice] AH00494: SIGHUP received.  Attempting to restart',
    'AH00526: Syntax error on line 1 of x:',
    'wrong',
    '[mpm_event:error] the new configuration cannot be used; the server keeps its current configuration',
  ])
  t.ok(existsSync(join(server.folder, 'httpd.pid')))
})

t.test('workers that cannot start leave the server unchanged, too', async (t) => {
  const server = await served(t)
  server.configure({ worker: 'ends' })
  server.supervisor.reload('SIGUSR1')
  await server.until(() => server.log().some((line) => line.includes('cannot be used')))
  t.equal(generationIn(await server.get('/')), 0)
  server.configure()
  server.supervisor.reload('SIGUSR1')
  await server.until((answer) => generationIn(answer) === 2)
})

t.test('a restart ends running requests', async (t) => {
  const server = await served(t)
  const held = server.get('/held').then(
    () => 'answered',
    () => 'ended',
  )
  await new Promise((resolve) => setTimeout(resolve, 50))
  server.supervisor.reload('SIGHUP')
  await server.untilRestarted((answer) => generationIn(answer) === 1)
  t.equal(await held, 'ended')
})

t.test('another port can be added and the former one given up', async (t) => {
  const server = await served(t)
  const former = server.port
  const next = new Trial(server.folder, await freePort())
  next.configure()
  server.supervisor.reload('SIGUSR1')
  await new Promise((resolve) => setTimeout(resolve, 50))
  for (let attempt = 0; attempt < 20_000; attempt++) {
    if (
      await next.get('/').then(
        (answer) => generationIn(answer) === 1,
        () => false,
      )
    )
      break
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  t.equal(generationIn(await next.get('/')), 1)
  const isGone = async (): Promise<boolean> => {
    for (let attempt = 0; attempt < 20_000; attempt++) {
      if (
        await server.get('/').then(
          () => false,
          () => true,
        )
      )
        return true
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return false
  }
  t.equal(await isGone(), true, `port ${former} is closed`)
})

t.test('a graceful stop answers what is under way and nothing new', async (t) => {
  const server = await served(t)
  const held = server.get('/held')
  await new Promise((resolve) => setTimeout(resolve, 50))
  server.supervisor.stop('SIGWINCH')
  t.equal(generationIn(await held), 0)
  await t.rejects(server.get('/'))
  t.match(server.log().at(-1), /AH00492: caught SIGWINCH, shutting down gracefully$/)
  t.notOk(existsSync(join(server.folder, 'httpd.pid')))
})
