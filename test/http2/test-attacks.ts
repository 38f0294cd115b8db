import type { Test } from 'tap'
import { AttackedServer } from './attacked-server.ts'
import { ATTACKS } from './attacks.ts'
import { FrameSocket } from './frame-socket.ts'
import { ADVERSARY_TRICKS, adversary, hasAdversary, type Way } from './h2-adversary.ts'

/** Runs all attacks on a real server, one after the other, as tests of their own. */
export async function testAttacks(t: Test, way: Way): Promise<void> {
  const attacked = await AttackedServer.start(t, way)
  const { server } = attacked

  for (const [index, { name, settings, codes, line, isSlow, run }] of ATTACKS.entries()) {
    // Each from an address of its own, so that nobody takes the lines of one for those of another.
    const from = `127.0.9.${index + 1}`
    t.test(`the attacker is ended with one line, and others are served: ${name}`, async (t) => {
      await attacked.underAttack(t, from, line, async () => {
        const attacker = await FrameSocket.begin(
          { port: isSlow ? attacked.hastyPort : server.port, from, isSecured: way === 'tls' },
          settings,
        )
        t.teardown(() => attacker.destroy())
        await run(attacker)
        await attacker.ended()
        // The frame is lost if the client was still sending when the server closed.
        if (attacker.goaway !== null) t.ok(codes.includes(attacker.goaway), `GOAWAY ${attacker.goaway}`)
      })
    })
  }

  t.test('the log of no server has a request that was injected', async (t) => {
    t.notMatch(server.read('logs/access_log'), 'PATH')
    t.notMatch(server.read('logs/error_log'), 'PATH')
  })

  const skip = hasAdversary() ? false : 'python3-h2 is not installed'

  for (const [index, { name, line, isSlow }] of ADVERSARY_TRICKS.entries()) {
    const from = `127.0.10.${index + 1}`
    t.test(`the attacker, python3-h2, is ended with one line, and others are served: ${name}`, { skip }, async (t) => {
      await attacked.underAttack(t, from, line, async () => {
        t.equal(await adversary(name, isSlow ? attacked.hastyPort : server.port, from, way), 'ended\n')
      })
    })
  }

  t.test('what python3-h2 receives keeps to the protocol, and is right', { skip }, async (t) => {
    t.equal(await adversary('ordinary', server.port, '127.0.10.200', way), 'right\n')
  })
}
