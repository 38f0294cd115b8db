// Random lines about how users are found, and what is known of users and groups.

/** Users with their passwords, as in the password files of every batch. */
export const USERS = { alice: 'secret', bob: 'hunter2', carol: 'pa:ss', dave: '', 'al ice': 'blank' }

const NAMES = [
  '"Members \\"only\\""',
  '"%{REQUEST_URI}"',
  'plain',
  '"C:\\\\x é"',
  '"realm of %{HTTP:X-User}"',
  '"Ops"',
  '"a%b$c"',
]
const LINES = [
  [3, (rng) => `AuthName ${rng.pick(NAMES)}`],
  [1, (rng) => `AuthUserFile "@AUTH@/${rng.pick(['missing', 'others', 'users'])}"`],
  [0.4, () => 'AuthUserFile "@AUTH@"'],
  [1, (rng) => `AuthGroupFile "@AUTH@/${rng.pick(['missing', 'groups', 'othergroups'])}"`],
  [
    0.7,
    (rng) =>
      `AuthDBMGroupFile "@AUTH@/${rng.pick(['missing', 'dbmgroups'])}"\nAuthzDBMType ${rng.pick(['SDBM', 'sdbm', 'NOSUCH'])}`,
  ],
  [0.3, (rng) => `AuthzDBMType ${rng.pick(['SDBM', 'NOSUCH'])}`],
  [0.5, () => 'AuthBasicAuthoritative Off'],
  [0.4, (rng) => `AuthBasicFake ${rng.pick(['off', 'someone', 'someone secret', '%{REMOTE_USER}'])}`],
  [0.3, () => 'AuthBasicUseDigestAlgorithm MD5'],
]
const PROVIDERS = ['file', 'file', 'dbm', 'dbm file', 'file dbm']
/** Joined when their module is there. */
const OF_OTHER_MODULES = {
  authn_anon: [
    [1, () => 'Anonymous guest Anybody'],
    [0.5, (rng) => `Anonymous_MustGiveEmail ${rng.pick(['On', 'Off'])}`],
    [0.5, () => 'Anonymous_VerifyEmail On'],
    [0.5, () => 'Anonymous_NoUserID On'],
  ],
  authn_socache: [[1, () => 'AuthnCacheProvideFor file']],
  auth_digest: [
    [1, () => 'AuthDigestProvider file'],
    [0.5, () => 'AuthDigestQop auth'],
  ],
}
const PROVIDERS_OF_OTHER_MODULES = {
  authn_anon: ['anon', 'anon file', 'file anon'],
  authn_socache: ['socache file'],
}

/** One or two lines that change the authentication from here on. */
export function authenticationLines(rng, site) {
  const others = site.modules.flatMap((name) => OF_OTHER_MODULES[name] ?? [])
  const out = Array.from({ length: 1 + rng.below(2) }, () =>
    rng
      .weighted([...LINES, ...others])(rng)
      .split('\n'),
  ).flat()
  if (rng.chance(0.3)) out.push(`AuthBasicProvider ${rng.pick(providerLists(site))}`)
  return out
}

/** An AuthType line, mostly Basic. */
export function authType(rng, site) {
  const others = site.modules.includes('auth_digest') ? [[1.5, 'Digest']] : []
  return `AuthType ${rng.weighted([[20, 'Basic'], [1, 'None'], [1, 'basic'], [1, '"%{tolower:BASIC}"'], [0.4, 'Foo'], [0.5, '"%{HTTP:X-Type}"'], ...others])}`
}

function providerLists(site) {
  const aliased = site.userAliases.flatMap((name) => [name, `${name} file`, `file ${name}`])
  return [...PROVIDERS, ...aliased, ...aliased, ...site.modules.flatMap((name) => PROVIDERS_OF_OTHER_MODULES[name] ?? [])]
}
