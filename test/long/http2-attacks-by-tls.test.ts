import t from 'tap'
import { testAttacks } from '../http2/test-attacks.ts'

t.setTimeout(900_000)

await testAttacks(t, 'tls')
