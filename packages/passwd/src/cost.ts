import { bcryptSetting } from './bcrypt.ts'
import { MD5_ROUNDS, md5Salt } from './md5-crypt.ts'
import { identifyScheme } from './scheme.ts'
import { SHA_ROUNDS_DEFAULT, SHA256_CRYPT, SHA512_CRYPT, type ShaVariant, shaSetting } from './sha-crypt.ts'

/**
 * The approximate time for verifying a password against this text, in microseconds of a 2020s server core; 0
 * if no password can match and nothing is computed. Meant for comparisons: for an unknown user, verify
 * against the costliest text of the file, so that the delay of the response does not reveal which names
 * exist.
 */
export function costRank(stored: string): number {
  switch (identifyScheme(stored)) {
    case 'bcrypt':
      return bcryptCost(stored)
    case 'apr1':
      return md5Salt('$apr1$', stored) === undefined ? 0 : MD5_ROUNDS * MD5_ROUND
    case 'md5':
      return md5Salt('$1$', stored) === undefined ? 0 : MD5_ROUNDS * MD5_ROUND
    case 'sha256':
      return shaCost(SHA256_CRYPT, stored, SHA256_ROUND)
    case 'sha512':
      return shaCost(SHA512_CRYPT, stored, SHA512_ROUND)
    case 'crypt':
      return DES
    case 'sha':
      return SHA1
    case 'unsupported':
      return 0
  }
}

const BCRYPT_ROUND = 74
const MD5_ROUND = 0.35
const SHA256_ROUND = 0.3
const SHA512_ROUND = 0.45
const DES = 17
const SHA1 = 1

function bcryptCost(stored: string): number {
  const setting = bcryptSetting(stored)
  return setting === undefined ? 0 : 2 ** setting.cost * BCRYPT_ROUND
}

function shaCost(variant: ShaVariant, stored: string, perRound: number): number {
  const setting = shaSetting(variant, stored)
  return setting === undefined ? 0 : (setting.rounds ?? SHA_ROUNDS_DEFAULT) * perRound
}
