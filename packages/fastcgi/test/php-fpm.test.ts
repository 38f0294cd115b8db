import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasPhpFpm, phpFpm } from '@gatewright/testing'
import t from 'tap'
import { fastcgiRequest, poolOf, scriptParams, start } from './collected.ts'

const skip = hasPhpFpm() ? false : 'php8.2-fpm is not installed'

t.test('a real PHP-FPM', { skip }, async (t) => {
  const fpm = await phpFpm()
  t.teardown(() => fpm.close())
  const folder = mkdtempSync(join(tmpdir(), 'gw-php-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const pool = poolOf({ path: fpm.socket })
  t.teardown(() => pool.close())

  /** The path of a script with this content. */
  function script(content: string): string {
    const file = join(folder, 'x.php')
    writeFileSync(file, `<?php\n${content}`)
    return file
  }

  t.test('runs a script, and the connection is kept for the next request', async (t) => {
    const file = script('header("X-A: b"); setcookie("a", "1"); setcookie("b", "2"); echo "hello ", $_GET["n"];')
    for (const n of ['1', '2', '3']) {
      const { done } = start(pool, fastcgiRequest({ params: scriptParams(file, { QUERY_STRING: `n=${n}` }) }))
      const collected = await done
      t.match(collected, { body: `hello ${n}`, head: { status: 200 }, error: null, exitStatus: 0 })
      const names = [...(collected.head?.fields ?? [])].map(([name]) => name.toLowerCase())
      t.equal(names.filter((name) => name === 'set-cookie').length, 2)
    }
    t.match(pool.figures, { opened: 1, reused: 2 })
  })

  t.test('a connection is dropped soon after the load ends', async (t) => {
    while (pool.figures.open > 0) await new Promise((resolve) => setTimeout(resolve, 10))
    t.equal(pool.figures.idle, 0)
  })

  t.test('statuses and reasons are those of the script', async (t) => {
    const gone = await start(pool, fastcgiRequest({ params: scriptParams(script('header("HTTP/1.1 404 Not Here");')) })).done
    t.match(gone.result, { status: 404, reason: 'Not Here' })
    const missing = await start(pool, fastcgiRequest({ params: scriptParams(join(folder, 'none.php')) })).done
    t.match(missing.result, { status: 404, body: 'File not found.\n' })
    t.match(missing.stderr.join(''), 'Primary script unknown')
  })

  t.test('large parameters and large bodies arrive', async (t) => {
    const file = script('echo strlen($_SERVER["HTTP_X_LONG"]), " ", md5(file_get_contents("php://input"));')
    const { createHash } = await import('node:crypto')
    const body = Buffer.alloc(3 * 1024 * 1024 + 17, 'abcdefg')
    const params = scriptParams(file, {
      REQUEST_METHOD: 'POST',
      CONTENT_TYPE: 'application/octet-stream',
      CONTENT_LENGTH: String(body.length),
      HTTP_X_LONG: 'x'.repeat(30_000),
    })
    const expected = `30000 ${createHash('md5').update(body).digest('hex')}`
    t.equal((await start(pool, fastcgiRequest({ params, body })).done).body, expected)
    const streamed = start(pool, fastcgiRequest({ params, streams: true }))
    while (streamed.exchange === null) await new Promise((resolve) => setImmediate(resolve))
    for (let at = 0; at < body.length; at += 100_000) streamed.exchange.write(body.subarray(at, at + 100_000))
    streamed.exchange.endRequest()
    t.equal((await streamed.done).body, expected)
  })

  t.test('a large response arrives complete, also when it is paused', async (t) => {
    const file = script('for ($i = 0; $i < 4000; $i++) echo str_repeat(chr(97 + $i % 26), 1000);')
    const collected = start(pool, fastcgiRequest({ params: scriptParams(file) }))
    const onData = collected.onData.bind(collected)
    let pauses = 0
    collected.onData = (chunk) => {
      onData(chunk)
      if (++pauses > 50) return
      collected.exchange?.pause()
      setImmediate(() => collected.exchange?.resume())
    }
    const { body, error } = await collected.done
    t.equal(error, null)
    let expected = ''
    for (let i = 0; i < 4000; i++) expected += String.fromCharCode(97 + (i % 26)).repeat(1000)
    t.equal(body === expected, true)
  })

  t.test('errors of the script are passed on by record', async (t) => {
    const collected = await start(
      pool,
      fastcgiRequest({ params: scriptParams(script('error_log("first"); error_log("second"); echo "x";')) }),
    ).done
    t.match(collected.stderr.join('|'), /first.*second/s)
    t.equal(collected.body, 'x')
  })

  t.test('a child that dies before its head is reported', async (t) => {
    const collected = await start(pool, fastcgiRequest({ params: scriptParams(script('posix_kill(posix_getpid(), 9);')) })).done
    t.match(collected.error?.code, /^closed-(early|in-head)$/)
  })
})
