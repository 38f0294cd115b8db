import t from 'tap'
import type { TerminalAnswer, TerminalRequest } from '../src/roles/messages.ts'
import { RemoteTerminal, serveTerminal } from '../src/roles/remote-terminal.ts'

t.test('questions pass two processes, and each gets its own answer', async (t) => {
  const shown: string[] = []
  const answers = new Map([
    ['a:', Promise.withResolvers<string | null>()],
    ['b:', Promise.withResolvers<string | null>()],
  ])
  const screen = {
    show: (text: string) => void shown.push(text),
    askSecret: (prompt: string) => answers.get(prompt)?.promise ?? Promise.reject(new Error('unexpected')),
  }
  const middle = new RemoteTerminal((request) => serveTerminal(screen, request, (answer) => middle.answered(answer)))
  const far = new RemoteTerminal((request) => serveTerminal(middle, request, (answer) => far.answered(answer)))
  far.show('text')
  const [a, b] = [far.askSecret('a:'), far.askSecret('b:')]
  answers.get('b:')?.resolve(null)
  answers.get('a:')?.resolve('secret')
  t.strictSame([await a, await b], ['secret', null])
  t.strictSame(shown, ['text'])
  t.equal(await far.askSecret('c:'), null, 'a terminal that fails has no answer')
})

t.test('without a terminal, or when it closes, there is no answer', async (t) => {
  const sent: TerminalRequest[] = []
  const terminal = new RemoteTerminal((request) => void sent.push(request))
  const waiting = terminal.askSecret('a:')
  terminal.close()
  t.equal(await waiting, null)
  t.strictSame(sent, [{ type: 'askSecret', id: 1, prompt: 'a:' }])
  const answer = await new Promise<TerminalAnswer>((resolve) =>
    serveTerminal(null, { type: 'askSecret', id: 7, prompt: 'b:' }, resolve),
  )
  t.strictSame(answer, { type: 'answer', id: 7, line: null })
})
