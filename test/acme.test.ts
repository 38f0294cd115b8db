import t from 'tap'
import { hasPebble } from './acme/pebble.ts'
import { STORIES } from './acme/stories.ts'

const skip = hasPebble() ? false : 'pebble is not installed'

for (const { name, about, short, tell } of STORIES) {
  if (!short) continue
  t.test(`a certificate is obtained and served (${name}): ${about}`, { skip }, async (t) => {
    await t.resolves(tell(t))
  })
}
