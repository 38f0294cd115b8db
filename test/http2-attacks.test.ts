import t from 'tap'
import { testAttacks } from './http2/test-attacks.ts'

// By TLS: test/long/http2-attacks-by-tls.test.ts.
await testAttacks(t, 'plain')
