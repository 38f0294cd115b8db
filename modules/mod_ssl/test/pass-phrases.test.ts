import t from 'tap'
import { askPassPhrase, type DialogPlace } from '../src/start/pass-phrases.ts'
import type { StartLog } from '../src/start/start-log.ts'

/** A person at a terminal who answers with these phrases, and what happens to them, in order. */
function person(answers: readonly string[]): { readonly place: DialogPlace; readonly events: readonly string[] } {
  const events: string[] = []
  const left = [...answers]
  const place: DialogPlace = {
    isGreeted: true,
    hasAnswer: false,
    pause: (milliseconds) => {
      events.push(`pause ${milliseconds}`)
      return Promise.resolve()
    },
    start: {
      awaitPerson: (action) => Promise.resolve(action),
      terminal: {
        show: () => undefined,
        askSecret: () => {
          const answer = left.shift() ?? null
          events.push(`answer ${answer}`)
          return Promise.resolve(answer)
        },
      },
    },
  }
  return { place, events }
}

const KEY = { server: 'localhost:443', index: 0, file: '/k.key' }
const LOG: Pick<StartLog, 'write'> = { write: () => undefined }

t.test('after the third wrong pass phrase, each further question comes later', async (t) => {
  const { place, events } = person(['1', '2', '3', '4', '5', '6', '7'])
  const outcome = await askPassPhrase({ kind: 'builtin' }, KEY, () => undefined, place, LOG)
  t.strictSame(outcome, { kind: 'incorrect' })
  t.strictSame(events, [
    ...['answer 1', 'answer 2', 'answer 3', 'pause 5000'],
    ...['answer 4', 'pause 10000', 'answer 5', 'pause 15000', 'answer 6'],
  ])
})

t.test('a person who types the right phrase at the third attempt does not wait', async (t) => {
  const { place, events } = person(['1', '', '2', 'right'])
  const outcome = await askPassPhrase({ kind: 'builtin' }, KEY, (phrase) => (phrase === 'right' ? 'key' : undefined), place, LOG)
  t.strictSame(outcome, { kind: 'opened', key: 'key', passPhrase: 'right' })
  t.strictSame(events, ['answer 1', 'answer ', 'answer 2', 'answer right'])
})
