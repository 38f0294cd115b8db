import { openSdbmWriter } from '@gatewright/dbm'
import t from 'tap'
import { FakeHost } from '../../mod_authz_core/test/fakes/fake-host.ts'
import authnDbm from '../src/index.ts'
